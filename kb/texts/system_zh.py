"""系统调用失败原因的中文说法；英文由系统自己给出。"""

import errno

# Error numbers of the system, and what they mean.
REASONS: dict[int, str] = {
    errno.EPERM: "不允许这样操作",
    errno.ENOENT: "没有这个文件或文件夹",
    errno.EINTR: "被中断",
    errno.EIO: "读写出错（介质可能已损坏）",
    errno.EBADF: "文件已关闭",
    errno.ENOEXEC: "不是本机能运行的程序",
    errno.ENOMEM: "内存不足",
    errno.EACCES: "没有权限",
    errno.EBUSY: "正在被使用",
    errno.EEXIST: "已经存在",
    errno.EXDEV: "不在同一个文件系统上",
    errno.ENODEV: "没有这个设备",
    errno.ENOTDIR: "不是文件夹",
    errno.EISDIR: "是文件夹，不是文件",
    errno.EINVAL: "名称或参数无效",
    errno.ENFILE: "系统打开的文件太多",
    errno.EMFILE: "打开的文件太多",
    errno.ETXTBSY: "程序正在运行",
    errno.EFBIG: "文件太大",
    errno.ENOSPC: "磁盘空间不足",
    errno.ESPIPE: "不能在其中定位",
    errno.EROFS: "只读的文件系统",
    errno.EPIPE: "接收的一方已关闭",
    errno.ENAMETOOLONG: "名称太长",
    errno.ENOTEMPTY: "文件夹不是空的",
    errno.ELOOP: "符号链接绕成了圈",
    errno.ETIMEDOUT: "超时",
}
