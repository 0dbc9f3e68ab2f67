/* Almanac's first page of code: starts the Python runtime that was unpacked once, and unpacks it where it is missing.
 *
 * A PyInstaller one-file program unpacks itself at every start into a temporary folder: 130 MB written each time,
 * a folder left behind by every kill -9, and no start at all where /tmp is small or mounted noexec. This program
 * keeps the runtime in <home>/runtime/<digest>, checks at each start that every file is there in its size, and
 * replaces itself by it; no process and no folder stays behind.
 *
 * File layout (kb/paths.py writes and reads the same): this program, padding, the parts, one directory block of
 * 4096 bytes. The runtime part is an index, one line a file ("f MODE SIZE CRC32 PATH" or "l TARGET PATH"), then the
 * bytes of the files in that order. shared.h is made from kb/texts and kb/paths.py by scripts/build_launcher.py.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "shared.h"

enum { CHUNK = 1 << 20, INDEX_LIMIT = 1 << 22, SPARE_PATH = 300, SPARE_MB = 8, MB = 1000000 };
static const char PROGRAM[] = "almanac";
static const char TEMPORARY[] = ".almanac-tmp-";

/* The head of the directory block; little-endian, as every machine that Almanac is built for. */
struct __attribute__((packed)) directory {
    char magic[8];
    uint32_t json_size;
    uint64_t offset, index_size, size; /* of the runtime part, in bytes */
    char digest[DIGEST];
};

/* What was started, and what is inside. */
struct package {
    const char *path;
    int file;
    int lang;
    struct directory runtime;
    char *index;
};

/* Why a place cannot hold the runtime. */
struct refusal {
    enum text text;
    char path[PATH_MAX];
    int error;
    long long free_mb, wanted_mb;
};

static volatile sig_atomic_t interrupted;

static void on_signal(int number) { interrupted = number; }

static void heed(int number) { /* what the caller ignores stays ignored, here and in the runtime */
    struct sigaction action = {.sa_handler = on_signal}, before;
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

static void ignore_keys(void) { /* whoever stands at a kiosk cannot end it while it starts */
    const int numbers[] = {SIGINT, SIGQUIT, SIGTSTP};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) signal(numbers[i], SIG_IGN);
}

/* Write a path of at most PATH_MAX bytes; false (ENAMETOOLONG) when it does not fit. */
__attribute__((format(printf, 2, 3))) static bool fill(char *path, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int length = vsnprintf(path, PATH_MAX, format, values);
    va_end(values);
    if (length >= 0 && length < PATH_MAX) return true;
    errno = ENAMETOOLONG;
    return false;
}

/* ---- words for people ------------------------------------------------------------------------------------------ */

static int language(int argc, char **argv) {
    const char *named = NULL;
    const char *const variables[] = {"ALMANAC_LANG", "LC_ALL", "LC_MESSAGES", "LANG"};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--lang") == 0 && i + 1 < argc) named = argv[i + 1];
        else if (strncmp(argv[i], "--lang=", 7) == 0) named = argv[i] + 7;
    }
    for (size_t i = 0; !named && i < sizeof variables / sizeof *variables; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value) named = value;
    }
    return named && strncmp(named, "zh", 2) == 0 ? CHINESE : ENGLISH;
}

static void put_plain(const char *value) { /* a path is shown without what a terminal would obey (C0, DEL, C1) */
    for (const unsigned char *at = (const unsigned char *)value; *at; at++) {
        bool c1 = at[0] == 0xc2 && at[1] >= 0x80 && at[1] < 0xa0;
        fputc(*at < 32 || *at == 127 || c1 ? '?' : *at, stderr);
        if (c1) at++;
    }
}

static const char *reason(const struct package *package, int error) {
    for (size_t i = 0; package->lang == CHINESE && i < sizeof CHINESE_REASONS / sizeof *CHINESE_REASONS; i++)
        if (CHINESE_REASONS[i].error == error) return CHINESE_REASONS[i].words;
    return strerror(error);
}

static void complain(const struct package *package, const struct refusal *refusal) {
    for (const char *at = TEXTS[package->lang][refusal->text]; *at;) {
        if (strncmp(at, "{path}", 6) == 0) put_plain(refusal->path), at += 6;
        else if (strncmp(at, "{reason}", 8) == 0) fputs(reason(package, refusal->error), stderr), at += 8;
        else if (strncmp(at, "{free}", 6) == 0) fprintf(stderr, "%lld", refusal->free_mb), at += 6;
        else if (strncmp(at, "{wanted}", 8) == 0) fprintf(stderr, "%lld", refusal->wanted_mb), at += 8;
        else fputc(*at++, stderr);
    }
    fputc('\n', stderr);
}

static bool refuse(struct refusal *refusal, enum text text, const char *path, int error) {
    refusal->text = text;
    refusal->error = error;
    fill(refusal->path, "%s", path);
    return false;
}

/* The refusal for a call that failed with errno. */
static bool refuse_call(struct refusal *refusal, const char *path) {
    int error = errno;
    bool locked = error == EACCES || error == EPERM || error == EROFS;
    bool full = error == ENOSPC || error == EDQUOT;
    return refuse(refusal, full ? NO_SPACE : locked ? NOT_WRITABLE : WRITE_FAILED, path, error);
}

static void progress(const struct package *package, uint64_t done) {
    static int shown = -1;
    int percent = (int)(done * 100 / package->runtime.size) / 5 * 5;
    if (percent == shown || !isatty(STDERR_FILENO)) return;
    shown = percent;
    fprintf(stderr, "\r%s %3d %%%s", TEXTS[package->lang][PROGRESS_UNPACK], percent, percent < 100 ? "" : "\r");
    if (percent == 100) fprintf(stderr, "%*s\r", 24, "");
}

/* ---- the package ----------------------------------------------------------------------------------------------- */

static bool read_at(int file, void *bytes, size_t size, uint64_t offset) {
    for (char *at = bytes; size;) {
        ssize_t got = pread(file, at, size, (off_t)offset);
        if (got <= 0) return false;
        at += got, offset += (uint64_t)got, size -= (size_t)got;
    }
    return true;
}

static bool open_package(struct package *package) {
    struct stat state;
    struct directory *runtime = &package->runtime;
    package->file = open(package->path, O_RDONLY | O_CLOEXEC);
    if (package->file < 0 || fstat(package->file, &state) || state.st_size < BLOCK) return false;
    uint64_t end = (uint64_t)state.st_size - BLOCK;
    if (!read_at(package->file, runtime, sizeof *runtime, end) || memcmp(runtime->magic, MAGIC, 8)) return false;
    if (runtime->size > end || runtime->offset > end - runtime->size || runtime->index_size > runtime->size) return false;
    if (runtime->index_size > INDEX_LIMIT) return false;
    for (int i = 0; i < DIGEST; i++)
        if (!strchr("0123456789abcdef", runtime->digest[i])) return false;
    package->index = calloc(1, runtime->index_size + 1);
    return package->index && read_at(package->file, package->index, runtime->index_size, runtime->offset);
}

/* One line of the index. */
struct entry {
    bool link;
    unsigned mode;
    unsigned long long size;
    unsigned crc;
    char target[PATH_MAX], path[PATH_MAX];
};

/* The next entry; false at the end. `*bad` is set when the index is not what the build writes. */
static bool next_entry(const char **at, struct entry *entry, bool *bad) {
    const char *end = strchr(*at, '\n');
    int path = 0;
    if (!end) return *bad = **at != '\0', false;
    memset(entry, 0, sizeof *entry);
    entry->link = **at == 'l';
    if (entry->link) sscanf(*at, "l %4000s %n", entry->target, &path);
    else sscanf(*at, "f %o %llu %x %n", &entry->mode, &entry->size, &entry->crc, &path);
    size_t length = (size_t)(end - *at) - (size_t)path;
    if (!path || *at + path >= end || length >= PATH_MAX - 256) return *bad = true, false;
    memcpy(entry->path, *at + path, length);
    *at = end + 1;
    *bad = entry->path[0] == '/' || strstr(entry->path, "..");
    return !*bad;
}

/* Whether every file of the runtime lies in `folder` in its size: a cleaner or a full disk may have been there. */
static bool whole(const struct package *package, const char *folder) {
    char path[PATH_MAX];
    struct entry entry;
    struct stat state;
    bool bad = false;
    for (const char *at = package->index; next_entry(&at, &entry, &bad);) {
        if (!fill(path, "%s/%s", folder, entry.path) || lstat(path, &state)) return false;
        if (entry.link ? !S_ISLNK(state.st_mode) : !S_ISREG(state.st_mode)) return false;
        if (!entry.link && (unsigned long long)state.st_size != entry.size) return false;
    }
    return !bad;
}

/* ---- unpacking ------------------------------------------------------------------------------------------------- */

static uint32_t crc_table[256];

static void make_crc_table(void) { /* the CRC-32 of zlib: polynomial 0xedb88320, reflected */
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) value = value & 1 ? value >> 1 ^ 0xedb88320U : value >> 1;
        crc_table[i] = value;
    }
}

static bool make_parents(char *path) { /* every folder above `path` */
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        bool failed = mkdir(path, 0755) && errno != EEXIST;
        *at = '/';
        if (failed) return false;
    }
    return true;
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *place) {
    (void)state, (void)kind, (void)place;
    return remove(path);
}

static void remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT); }

/* Copy one file out; `*offset` moves behind its bytes in the package. */
static bool unpack_file(const struct package *package, const struct entry *entry, const char *path, uint64_t *offset,
                        struct refusal *refusal) {
    static unsigned char bytes[CHUNK];
    uint32_t crc = 0xffffffffU;
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, entry->mode & 0777);
    if (file < 0) return refuse_call(refusal, path);
    for (unsigned long long left = entry->size; left && !interrupted;) {
        size_t size = left < CHUNK ? (size_t)left : CHUNK;
        bool inside = *offset + size <= package->runtime.offset + package->runtime.size;
        if (!inside || !read_at(package->file, bytes, size, *offset)) {
            close(file);
            return refuse(refusal, EXECUTABLE_DAMAGED, package->path, EIO);
        }
        for (size_t i = 0; i < size; i++) crc = crc_table[(crc ^ bytes[i]) & 255] ^ crc >> 8;
        for (size_t written = 0; written < size;) {
            ssize_t put = write(file, bytes + written, size - written);
            if (put < 0 && errno == EINTR) continue;
            if (put < 0) {
                refuse_call(refusal, path);
                close(file);
                return false;
            }
            written += (size_t)put;
        }
        *offset += size, left -= size;
        progress(package, *offset - package->runtime.offset);
    }
    if (close(file)) return refuse_call(refusal, path);
    if (!interrupted && (crc ^ 0xffffffffU) != entry->crc) return refuse(refusal, EXECUTABLE_DAMAGED, package->path, EIO);
    return true;
}

static bool unpack_into(const struct package *package, const char *folder, struct refusal *refusal) {
    char path[PATH_MAX];
    struct entry entry;
    bool bad = false;
    uint64_t offset = package->runtime.offset + package->runtime.index_size;
    if (mkdir(folder, 0755)) return refuse_call(refusal, folder);
    for (const char *at = package->index; !interrupted && next_entry(&at, &entry, &bad);) {
        if (!fill(path, "%s/%s", folder, entry.path) || !make_parents(path)) return refuse_call(refusal, path);
        if (entry.link && symlink(entry.target, path)) return refuse_call(refusal, path);
        if (!entry.link && !unpack_file(package, &entry, path, &offset, refusal)) return false;
    }
    if (bad) return refuse(refusal, EXECUTABLE_DAMAGED, package->path, EINVAL);
    int handle = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = handle >= 0 && syncfs(handle) == 0;
    if (handle >= 0) close(handle);
    return synced || refuse_call(refusal, folder);
}

static void sync_folder(const char *path) {
    int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle < 0) return;
    fsync(handle);
    close(handle);
}

/* Whether no running program holds the runtime in `path` (each holds a shared lock on its folder). */
static bool unused(const char *path) {
    int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool is_unused = handle >= 0 && flock(handle, LOCK_EX | LOCK_NB) == 0;
    if (handle >= 0) close(handle);
    return is_unused;
}

/* Remove what interrupted starts left and runtimes that nobody uses, but for `keep` and the newest other one (a stick
 * with two versions is not unpacked at every start). Only under the lock of `parent`. */
static void sweep(const char *parent, const char *keep) {
    char path[PATH_MAX], spared[PATH_MAX] = "";
    time_t newest = 0;
    for (int round = 0; round < 2; round++) { /* first look for the one to spare, then remove */
        DIR *folder = opendir(parent);
        if (!folder) return;
        for (struct dirent *entry; (entry = readdir(folder));) {
            struct stat state;
            bool temporary = strncmp(entry->d_name, TEMPORARY, sizeof TEMPORARY - 1) == 0;
            bool runtime = strlen(entry->d_name) == DIGEST && strspn(entry->d_name, "0123456789abcdef") == DIGEST;
            if ((!temporary && !runtime) || strcmp(entry->d_name, keep) == 0) continue;
            if (!fill(path, "%s/%s", parent, entry->d_name) || lstat(path, &state)) continue;
            if (!unused(path)) continue;
            if (round == 1 && strcmp(path, spared) != 0) remove_tree(path);
            if (round == 0 && runtime && state.st_mtime > newest) {
                newest = state.st_mtime;
                memcpy(spared, path, sizeof spared);
            }
        }
        closedir(folder);
    }
}

/* Unpack into `target` inside `parent`; true also when another copy was faster. Complete or not at all. */
static bool unpack(const struct package *package, const char *parent, const char *target, struct refusal *refusal) {
    char path[PATH_MAX], old[PATH_MAX];
    struct statvfs disk;
    if (statvfs(parent, &disk)) return refuse_call(refusal, parent);
    if (disk.f_flag & ST_NOEXEC) return refuse(refusal, NOT_EXECUTABLE, parent, EACCES);
    fill(path, "%s/.lock", parent);
    int lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (lock < 0 || flock(lock, LOCK_EX)) return refuse_call(refusal, path);
    if (whole(package, target)) return close(lock), true;
    sweep(parent, strrchr(target, '/') + 1);
    refusal->free_mb = statvfs(parent, &disk) ? 0 : (long long)((double)disk.f_bavail * (double)disk.f_frsize / MB);
    refusal->wanted_mb = (long long)(package->runtime.size / MB) + SPARE_MB;
    bool done = refusal->free_mb >= refusal->wanted_mb || refuse(refusal, NO_SPACE, parent, ENOSPC);
    fill(path, "%s/%s%ld", parent, TEMPORARY, (long)getpid());
    fill(old, "%s/%sold-%ld", parent, TEMPORARY, (long)getpid());
    if (done) {
        done = unpack_into(package, path, refusal) && !interrupted;
        if (done && rename(target, old) && errno != ENOENT) done = refuse_call(refusal, target);
        if (done && rename(path, target)) done = refuse_call(refusal, target);
        if (!done) remove_tree(path);
        sync_folder(parent);
    }
    close(lock);
    return done;
}

/* ---- places ---------------------------------------------------------------------------------------------------- */

/* Become the runtime in `target`. The shared lock on its folder lives as long as this process; argv[0] names the file
 * that people have, where models and knowledge lie. Returns only when that fails. */
static bool start(const struct package *package, const char *target, char **argv, struct refusal *refusal) {
    char path[PATH_MAX];
    fill(path, "%s/%s", target, PROGRAM);
    int handle = open(target, O_RDONLY | O_DIRECTORY);
    if (handle >= 0) flock(handle, LOCK_SH | LOCK_NB);
    argv[0] = (char *)package->path;
    execv(path, argv);
    if (handle >= 0) close(handle);
    return refuse(refusal, errno == EACCES || errno == EPERM ? NOT_EXECUTABLE : START_FAILED, target, errno);
}

/* Start from `home`, unpacking first where needed. `private`: a folder in a place of everybody's, made for this user. */
static bool try_place(const struct package *package, const char *home, bool private, char **argv, struct refusal *refusal) {
    char parent[PATH_MAX], target[PATH_MAX];
    struct stat state;
    if (strlen(home) > PATH_MAX - SPARE_PATH) return refuse(refusal, WRITE_FAILED, home, ENAMETOOLONG);
    if (private) {
        if (mkdir(home, 0700) && errno != EEXIST) return refuse_call(refusal, home);
        if (lstat(home, &state) || !S_ISDIR(state.st_mode) || state.st_uid != geteuid() || state.st_mode & 077)
            return refuse(refusal, NOT_WRITABLE, home, EPERM);
    }
    fill(parent, "%s/runtime", home);
    fill(target, "%s/%.*s", parent, DIGEST, package->runtime.digest);
    for (int attempt = 0; attempt < 3; attempt++) { /* swept or damaged between look and start: once more */
        if (!whole(package, target)) {
            if (!make_parents(target)) return refuse_call(refusal, home);
            if (!unpack(package, parent, target, refusal)) return false;
        }
        start(package, target, argv, refusal);
        if (refusal->error != ENOENT) break;
    }
    return false;
}

/* The absolute form of `path`, which need not exist. */
static void absolute(const char *path, char *result) {
    char here[PATH_MAX];
    if (*path == '/' || !getcwd(here, sizeof here)) fill(result, "%s", path);
    else fill(result, "%s/%s", here, path);
}

static const char *set(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Try one place after another, in the order of kb.paths.find_home; the refusal of the first is what is said. A disk
 * without room ends the search: the next place might be memory. */
static void try_places(const struct package *package, int argc, char **argv, struct refusal *first) {
    enum { PLACES = 8 };
    static char places[PLACES][PATH_MAX];
    bool private[PLACES] = {false};
    int count = 0;
    const char *named = set("ALMANAC_HOME"), *user = set("HOME"), *slash = strrchr(package->path, '/');
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--home") == 0 && i + 1 < argc) named = argv[i + 1];
        else if (strncmp(argv[i], "--home=", 7) == 0) named = argv[i] + 7;
    }
    if (named && strncmp(named, "~/", 2) == 0 && user) fill(places[count++], "%s/%s", user, named + 2);
    else if (named) absolute(named, places[count++]);
    fill(places[count], "%.*s/almanac-data", (int)(slash - package->path), package->path);
    if (!named && access(places[count], W_OK | X_OK) == 0) count++;
    if (set("XDG_DATA_HOME")) fill(places[count++], "%s/almanac", set("XDG_DATA_HOME"));
    else if (user) fill(places[count++], "%s/.local/share/almanac", user);
    if (set("XDG_CACHE_HOME")) fill(places[count++], "%s/almanac", set("XDG_CACHE_HOME"));
    else if (user) fill(places[count++], "%s/.cache/almanac", user);
    const char *const shared[] = {set("TMPDIR") ? set("TMPDIR") : "/tmp", "/var/tmp", "/dev/shm"};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        private[count] = true;
        fill(places[count++], "%s/almanac-%ld", shared[i], (long)geteuid());
    }
    for (int i = 0; i < count && !interrupted; i++) {
        struct refusal refusal = {0};
        try_place(package, places[i], private[i], argv, &refusal);
        if (i == 0) *first = refusal;
        if (refusal.text == NO_SPACE || refusal.text == EXECUTABLE_DAMAGED) {
            *first = refusal;
            return;
        }
    }
}

/* Whether numpy can compute here: its packages are built for x86-64-v2 and would end with an illegal instruction. */
static bool processor_serves(void) {
#ifdef __x86_64__
    __builtin_cpu_init();
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("ssse3");
#else
    return true;
#endif
}

int main(int argc, char **argv) {
    static char path[PATH_MAX];
    struct package package = {.path = path, .lang = language(argc, argv)};
    struct refusal refusal = {0};
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0 && argc > 0 && !realpath(argv[0], path)) fill(path, "%s", argv[0]);
    if (argc < 1 || !open_package(&package)) {
        refuse(&refusal, EXECUTABLE_DAMAGED, path, EIO);
        complain(&package, &refusal);
        return EXIT_ENVIRONMENT;
    }
    if (!processor_serves()) {
        refuse(&refusal, PROCESSOR_TOO_OLD, path, 0);
        complain(&package, &refusal);
        return EXIT_ENVIRONMENT;
    }
    make_crc_table();
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--kiosk") == 0) ignore_keys();
    heed(SIGINT);
    heed(SIGTERM);
    try_places(&package, argc, argv, &refusal);
    if (interrupted) {
        signal((int)interrupted, SIG_DFL);
        raise((int)interrupted);
    }
    complain(&package, &refusal);
    return EXIT_ENVIRONMENT;
}
