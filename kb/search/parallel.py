"""Sentences that say the same in Chinese and in English.

What the vectors of one side have in common against those of the other is what an embedder makes of the language alone
(`embedding.ChunkVectors`). Questions and statements, of the kinds that manuals, farm advice and offices hold.
"""

from __future__ import annotations

PAIRS = (
    ("水泵不出水怎么办？", "What should I do when the pump gives no water?"),
    ("播种深度是多少？", "How deep should the seed be sown?"),
    ("这个报警代码是什么意思？", "What does this alarm code mean?"),
    ("什么时候收割最合适？", "When is the best time to harvest?"),
    ("如何更换滤芯？", "How do I replace the filter?"),
    ("为什么电机发热？", "Why does the motor get hot?"),
    ("可以用哪种药剂？", "Which product can be used?"),
    ("每公顷用量是多少？", "How much is applied per hectare?"),
    ("该设备支持哪些接口？", "Which interfaces does the device support?"),
    ("谁负责审批？", "Who has to approve it?"),
    ("合同什么时候到期？", "When does the contract end?"),
    ("如何重置密码？", "How can I reset the password?"),
    ("猪不吃食是什么原因？", "What makes pigs stop eating?"),
    ("温度应该控制在多少度？", "At what temperature should it be kept?"),
    ("是否需要断电？", "Does the power have to be switched off?"),
    ("简述日常保养的步骤。", "Describe the steps of daily maintenance."),
    ("这两种型号有什么区别？", "What is the difference between the two models?"),
    ("保质期有多长？", "How long can it be stored?"),
    ("哪里可以下载安装包？", "Where can I download the installer?"),
    ("出现错误后怎样恢复？", "How is it recovered after an error?"),
    (
        "检查吸水管是否漏气，启动前灌满水；滤网堵塞时清洗。",
        "Check the suction pipe for leaks and fill it with water before starting; clean a clogged strainer.",
    ),
    ("深度以 3-5 厘米为宜，土壤干旱时可略深。", "A depth of 3 to 5 cm is suitable, a little more in dry soil."),
    (
        "该代码表示电机过载，应停机冷却并检查负载。",
        "The code stands for an overloaded motor: stop it, let it cool and check the load.",
    ),
    ("蜡熟末期收割最合适，过晚易落粒。", "The end of wax ripeness is best; later the grains fall off."),
    (
        "关闭阀门，旋下外壳，取出旧滤芯，装上新的并排气。",
        "Close the valve, unscrew the housing, take out the old element, put in the new one and bleed the air.",
    ),
    ("轴承缺油、电压过低或散热不良都会使它发热。", "Dry bearings, low voltage or poor cooling make it hot."),
    ("可用代森锰锌，按标签剂量喷雾。", "Mancozeb can be sprayed at the dose on the label."),
    ("每公顷施用 20 公斤，分两次施入。", "20 kg per hectare, in two applications."),
    ("支持以太网、RS485 和 USB 接口。", "It supports Ethernet, RS485 and USB."),
    (
        "由部门负责人审批，金额较大的还需经理签字。",
        "The head of the department approves it; larger amounts need the manager's signature.",
    ),
    ("合同期限为一年，到期日为 12 月 31 日。", "The contract runs for one year and ends on December 31."),
    (
        "点击登录页上的链接，按邮件中的说明重新设置。",
        "Click on the link on the login page and set it again as the mail says.",
    ),
    ("常见原因有发热、饲料霉变和环境温度过高。", "Common causes are fever, mouldy feed and heat."),
    (
        "应保持在 18-22 ℃，昼夜温差不宜过大。",
        "It should be kept at 18 to 22 °C, with little difference between day and night.",
    ),
    ("必须先断开电源并挂上警示牌。", "Switch off the power first and hang up a warning sign."),
    (
        "每天清洁表面，检查油位和紧固件，并做好记录。",
        "Clean the surface every day, check oil level and bolts, and keep a record.",
    ),
    ("前者功率较大，后者体积小、价格低。", "The former has more power, the latter is smaller and cheaper."),
    ("常温下可保存六个月，冷藏可达一年。", "Six months at room temperature, up to a year when refrigerated."),
    ("可从官方网站的下载页面获取最新版本。", "The latest version is on the download page of the website."),
    ("重新启动服务，并从最近的备份中恢复数据。", "Restart the service and restore the data from the latest backup."),
)
