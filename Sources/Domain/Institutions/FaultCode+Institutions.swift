public import GradingKit

extension FaultCode {
    /// The institution has the maximum number of service accounts.
    public static let serviceAccountLimit = FaultCode(
        "service_account_limit", "An institution has at most {max} service accounts",
        fr: "Un établissement a au plus {max} comptes de service",
        zh: "每所院校最多 {max} 个服务账号")
    /// The institution has the maximum number of webhooks.
    public static let webhookLimit = FaultCode(
        "webhook_limit", "An institution has at most {max} webhooks", fr: "Un établissement a au plus {max} webhooks",
        zh: "每所院校最多 {max} 个 Webhook")
    /// As many messages wait for a webhook as may.
    public static let webhookQueueFull = FaultCode(
        "webhook_queue_full", "{max} messages wait already; send these again when some of them are accepted",
        fr: "{max} messages attendent déjà ; renvoyez ceux-ci quand d’autres auront été acceptés",
        zh: "已有 {max} 条消息在等待，请待其中一些送达后再重新发送")
    /// Not an address to which this server may send messages.
    public static let webhookAddress = FaultCode(
        "webhook_address", "Write an address that begins with https:// and lies outside the server’s own network",
        fr: "Écrivez une adresse qui commence par https:// et se trouve hors du réseau du serveur",
        zh: "请填写以 https:// 开头且不在服务器内部网络中的地址")
    /// Another institution has this slug.
    public static let slugTaken = FaultCode(
        "slug_taken", "This short name is taken", fr: "Ce nom court est déjà pris", zh: "该短名称已被使用")
    /// The server's configuration names the institution by this slug.
    public static let slugConfigured = FaultCode(
        "slug_configured", "The server’s configuration uses this short name; its rules have to leave it first",
        fr: "La configuration du serveur emploie ce nom court ; ses règles doivent d’abord y renoncer",
        zh: "服务器配置正在使用该短名称，须先从配置的规则中移除")
    /// Not a slug.
    public static let slugInvalid = FaultCode(
        "slug_invalid", "A short name has letters a–z, digits and inner hyphens only",
        fr: "Un nom court ne contient que des lettres a–z, des chiffres et des traits d’union intérieurs",
        zh: "短名称只能包含字母 a–z、数字和中间的连字符")
    /// The IANA database has no time zone of this name.
    public static let timeZoneUnknown = FaultCode(
        "time_zone_unknown", "There is no such time zone; write it as Europe/Paris or UTC",
        fr: "Ce fuseau horaire n’existe pas ; écrivez-le ainsi : Europe/Paris ou UTC",
        zh: "没有此时区；请按 Europe/Paris 或 UTC 的格式填写")
    /// Another member of the institution has this student number.
    public static let studentNumberTaken = FaultCode(
        "student_number_taken", "Another member has this student number",
        fr: "Un autre membre a déjà ce numéro d’étudiant",
        zh: "该学号已属于另一名成员")
    /// The institution has no such program.
    public static let programUnknown = FaultCode(
        "program_unknown", "The institution has no such program", fr: "L’établissement n’a pas cette formation",
        zh: "该院校没有此项目")
    /// The account does not exist.
    public static let accountUnknown = FaultCode(
        "account_unknown", "There is no such account", fr: "Ce compte n’existe pas", zh: "没有此账号")
    /// A member of staff, or a service account, where a student is needed.
    public static let notStudent = FaultCode(
        "role", "Only students of the institution can be chosen here, not its staff or service accounts",
        fr:
            "Seuls les étudiants de l’établissement peuvent être choisis ici, et non son personnel ou ses comptes de service",
        zh: "此处只能选择本院校的学生，不能选择教职人员或服务账号")
    /// The program has no draft to publish.
    public static let draftMissing = FaultCode(
        "draft_missing", "There is no draft to publish", fr: "Il n’y a pas de brouillon à publier", zh: "没有可发布的草稿")
    /// Records are to move to rules that have no place for something in them.
    public static let wouldLose = FaultCode(
        "would_lose",
        "The records hold what these rules have no place for ({count}); leave them under their rules, or say `was` where a name changed",
        fr:
            "Les relevés contiennent ce que ces règles ne prévoient pas ({count}) ; laissez-les sous leurs règles, ou écrivez `was` là où un nom a changé",
        zh: "成绩单中有 {count} 处内容在新规则中没有位置；请让它们保留原规则，或在改名处写 `was`")
    /// The text is not a day in the form `YYYY-MM-DD`.
    public static let dayInvalid = FaultCode(
        "day_invalid", "Write the day as 2026-11-21", fr: "Écrivez le jour ainsi : 2026-11-21",
        zh: "请按 2026-11-21 的格式填写日期")
    /// The day is before the first day of the previous version.
    public static let dayTooEarly = FaultCode(
        "day_too_early", "Not before {min}, when the version before begins",
        fr: "Pas avant le {min}, début de la version précédente",
        zh: "不得早于上一版本的生效日 {min}")
    /// The version is already in force and cannot be withdrawn.
    public static let versionInForce = FaultCode(
        "version_in_force", "This version is in force already; publish another one",
        fr: "Cette version est déjà en vigueur ; publiez-en une autre",
        zh: "该版本已生效，请发布新版本")
    /// The invitation was used, has expired, was withdrawn or never existed.
    public static let invitationRefused = FaultCode(
        "invitation_refused", "This invitation was used already or has expired",
        fr: "Cette invitation a déjà servi ou a expiré",
        zh: "该邀请已使用或已过期")
    /// The account may not accept an invitation that it made itself.
    public static let invitationOwn = FaultCode(
        "invitation_own", "You made this invitation yourself; someone else must invite you",
        fr: "Vous avez créé cette invitation ; une autre personne doit vous inviter",
        zh: "这是您自己发出的邀请，须由他人邀请您")
    /// A term that the institution does not have.
    public static let termUnknown = FaultCode(
        "term_unknown", "The institution has no such term", fr: "L’établissement n’a pas cette période", zh: "该院校没有此学期")
    /// A year in a term, a period that stands alone, or another term in which one of its kind does not stand.
    public static let termMisplaced = FaultCode(
        "term_misplaced", "Terms stand in years, and periods in terms or years",
        fr: "Un semestre se place dans une année, et une période dans un semestre ou une année",
        zh: "学期应属于学年，阶段应属于学期或学年")
    /// The last day is before the first.
    public static let daysReversed = FaultCode(
        "days_reversed", "The last day is before the first", fr: "Le dernier jour précède le premier", zh: "最后一天早于第一天")
    /// Days outside of the term in which one stands, or that leave out one that stands in it.
    public static let daysOutside = FaultCode(
        "days_outside", "The days do not lie within those of {title}",
        fr: "Les jours ne sont pas compris dans ceux de « {title} »",
        zh: "日期超出“{title}”的范围")
    /// Two periods share a day.
    public static let periodsOverlap = FaultCode(
        "periods_overlap", "It shares days with {title}", fr: "Des jours sont communs avec « {title} »",
        zh: "与“{title}”的日期重叠")
    /// Classes belong to the term, or others stand in it.
    public static let termInUse = FaultCode(
        "term_in_use", "Classes belong to it, or other terms stand in it",
        fr: "Des cours lui appartiennent, ou d’autres périodes s’y trouvent", zh: "有班级属于它，或其中还有其他学期")
    /// The institution has as many terms as it may have.
    public static let termLimit = FaultCode(
        "term_limit", "An institution has at most {limit} years, terms and periods",
        fr: "Un établissement a au plus {limit} années, semestres et périodes", zh: "每所院校最多有 {limit} 个学年、学期和阶段")
    /// Only a rule over a provider's claims grants the membership, so people cannot end it.
    public static let membershipByRule = FaultCode(
        "membership_by_rule",
        "A sign-in provider grants this membership; it ends when the provider no longer names this person",
        fr:
            "Un service de connexion accorde cette appartenance, qui prend fin quand il ne désigne plus la personne",
        zh: "此成员身份由登录服务授予，该服务不再指明此人时即告终止")
}

extension MessageCatalog {
    /// The messages for faults of institutions, members and programs.
    public static let institutions = MessageCatalog([
        .serviceAccountLimit, .webhookLimit, .webhookQueueFull, .webhookAddress, .slugTaken, .slugConfigured,
        .slugInvalid, .timeZoneUnknown, .studentNumberTaken, .programUnknown, .accountUnknown, .notStudent,
        .draftMissing, .wouldLose, .dayInvalid, .dayTooEarly, .versionInForce, .invitationRefused, .invitationOwn,
        .termUnknown, .termMisplaced, .daysReversed, .daysOutside, .periodsOverlap, .termInUse, .termLimit,
        .membershipByRule,
    ])
}
