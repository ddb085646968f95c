public import GradingKit

extension FaultCode {
    /// The institution has the maximum number of service accounts.
    public static let serviceAccountLimit: FaultCode = "service_account_limit"
    /// The institution has the maximum number of webhooks.
    public static let webhookLimit: FaultCode = "webhook_limit"
    /// As many messages wait for a webhook as may.
    public static let webhookQueueFull: FaultCode = "webhook_queue_full"
    /// Not an address to which this server may send messages.
    public static let webhookAddress: FaultCode = "webhook_address"
    /// Another institution has this slug.
    public static let slugTaken: FaultCode = "slug_taken"
    /// The server's configuration names the institution by this slug.
    public static let slugConfigured: FaultCode = "slug_configured"
    /// Not a slug.
    public static let slugInvalid: FaultCode = "slug_invalid"
    /// The IANA database has no time zone of this name.
    public static let timeZoneUnknown: FaultCode = "time_zone_unknown"
    /// Another member of the institution has this student number.
    public static let studentNumberTaken: FaultCode = "student_number_taken"
    /// The institution has no such program.
    public static let programUnknown: FaultCode = "program_unknown"
    /// The account does not exist.
    public static let accountUnknown: FaultCode = "account_unknown"
    /// A member of staff, or a service account, where a student is needed.
    public static let notStudent: FaultCode = "role"
    /// The program has no draft to publish.
    public static let draftMissing: FaultCode = "draft_missing"
    /// Records are to move to rules that have no place for something in them.
    public static let wouldLose: FaultCode = "would_lose"
    /// The text is not a day in the form `YYYY-MM-DD`.
    public static let dayInvalid: FaultCode = "day_invalid"
    /// The day is before the first day of the previous version.
    public static let dayTooEarly: FaultCode = "day_too_early"
    /// The version is already in force and cannot be withdrawn.
    public static let versionInForce: FaultCode = "version_in_force"
    /// The invitation was used, has expired, was withdrawn or never existed.
    public static let invitationRefused: FaultCode = "invitation_refused"
    /// The account may not accept an invitation that it made itself.
    public static let invitationOwn: FaultCode = "invitation_own"
    /// A term that the institution does not have.
    public static let termUnknown: FaultCode = "term_unknown"
    /// A year in a term, a period that stands alone, or another term in which one of its kind does not stand.
    public static let termMisplaced: FaultCode = "term_misplaced"
    /// The last day is before the first.
    public static let daysReversed: FaultCode = "days_reversed"
    /// Days outside of the term in which one stands, or that leave out one that stands in it.
    public static let daysOutside: FaultCode = "days_outside"
    /// Two periods share a day.
    public static let periodsOverlap: FaultCode = "periods_overlap"
    /// Classes belong to the term, or others stand in it.
    public static let termInUse: FaultCode = "term_in_use"
    /// The institution has as many terms as it may have.
    public static let termLimit: FaultCode = "term_limit"
    /// Only a rule over a provider's claims grants the membership, so people cannot end it.
    public static let membershipByRule: FaultCode = "membership_by_rule"
}

extension MessageCatalog {
    /// The messages for faults of institutions, members and programs.
    public static let institutions = MessageCatalog([
        .serviceAccountLimit: LocalizedText(
            "An institution has at most {max} service accounts",
            fr: "Un établissement a au plus {max} comptes de service",
            zh: "每所院校最多 {max} 个服务账号"),
        .webhookLimit: LocalizedText(
            "An institution has at most {max} webhooks", fr: "Un établissement a au plus {max} webhooks",
            zh: "每所院校最多 {max} 个 Webhook"),
        .webhookQueueFull: LocalizedText(
            "{max} messages wait already; send these again when some of them are accepted",
            fr: "{max} messages attendent déjà ; renvoyez ceux-ci quand d’autres auront été acceptés",
            zh: "已有 {max} 条消息在等待，请待其中一些送达后再重新发送"),
        .webhookAddress: LocalizedText(
            "Write an address that begins with https:// and lies outside the server’s own network",
            fr: "Écrivez une adresse qui commence par https:// et se trouve hors du réseau du serveur",
            zh: "请填写以 https:// 开头且不在服务器内部网络中的地址"),
        .slugTaken: LocalizedText("This short name is taken", fr: "Ce nom court est déjà pris", zh: "该短名称已被使用"),
        .slugConfigured: LocalizedText(
            "The server’s configuration uses this short name; its rules have to leave it first",
            fr: "La configuration du serveur emploie ce nom court ; ses règles doivent d’abord y renoncer",
            zh: "服务器配置正在使用该短名称，须先从配置的规则中移除"),
        .slugInvalid: LocalizedText(
            "A short name has letters a–z, digits and inner hyphens only",
            fr: "Un nom court ne contient que des lettres a–z, des chiffres et des traits d’union intérieurs",
            zh: "短名称只能包含字母 a–z、数字和中间的连字符"),
        .timeZoneUnknown: LocalizedText(
            "There is no such time zone; write it as Europe/Paris or UTC",
            fr: "Ce fuseau horaire n’existe pas ; écrivez-le ainsi : Europe/Paris ou UTC",
            zh: "没有此时区；请按 Europe/Paris 或 UTC 的格式填写"),
        .studentNumberTaken: LocalizedText(
            "Another member has this student number", fr: "Un autre membre a déjà ce numéro d’étudiant",
            zh: "该学号已属于另一名成员"),
        .termUnknown: LocalizedText(
            "The institution has no such term", fr: "L’établissement n’a pas cette période", zh: "该院校没有此学期"),
        .termMisplaced: LocalizedText(
            "Terms stand in years, and periods in terms or years",
            fr: "Un semestre se place dans une année, et une période dans un semestre ou une année",
            zh: "学期应属于学年，阶段应属于学期或学年"),
        .daysReversed: LocalizedText(
            "The last day is before the first", fr: "Le dernier jour précède le premier", zh: "最后一天早于第一天"),
        .daysOutside: LocalizedText(
            "The days do not lie within those of {title}", fr: "Les jours ne sont pas compris dans ceux de « {title} »",
            zh: "日期超出“{title}”的范围"),
        .periodsOverlap: LocalizedText(
            "It shares days with {title}", fr: "Des jours sont communs avec « {title} »", zh: "与“{title}”的日期重叠"),
        .termInUse: LocalizedText(
            "Classes belong to it, or other terms stand in it",
            fr: "Des cours lui appartiennent, ou d’autres périodes s’y trouvent", zh: "有班级属于它，或其中还有其他学期"),
        .termLimit: LocalizedText(
            "An institution has at most {limit} years, terms and periods",
            fr: "Un établissement a au plus {limit} années, semestres et périodes", zh: "每所院校最多有 {limit} 个学年、学期和阶段"),
        .programUnknown: LocalizedText(
            "The institution has no such program", fr: "L’établissement n’a pas cette formation", zh: "该院校没有此项目"),
        .notStudent: LocalizedText(
            "Only students of the institution can be chosen here, not its staff or service accounts",
            fr:
                "Seuls les étudiants de l’établissement peuvent être choisis ici, et non son personnel ou ses comptes de service",
            zh: "此处只能选择本院校的学生，不能选择教职人员或服务账号"),
        .accountUnknown: LocalizedText("There is no such account", fr: "Ce compte n’existe pas", zh: "没有此账号"),
        .draftMissing: LocalizedText(
            "There is no draft to publish", fr: "Il n’y a pas de brouillon à publier", zh: "没有可发布的草稿"),
        .wouldLose: LocalizedText(
            "The records hold what these rules have no place for ({count}); leave them under their rules, or say `was` where a name changed",
            fr:
                "Les relevés contiennent ce que ces règles ne prévoient pas ({count}) ; laissez-les sous leurs règles, ou écrivez `was` là où un nom a changé",
            zh: "成绩单中有 {count} 处内容在新规则中没有位置；请让它们保留原规则，或在改名处写 `was`"),
        .dayInvalid: LocalizedText(
            "Write the day as 2026-11-21", fr: "Écrivez le jour ainsi : 2026-11-21", zh: "请按 2026-11-21 的格式填写日期"),
        .dayTooEarly: LocalizedText(
            "Not before {min}, when the version before begins",
            fr: "Pas avant le {min}, début de la version précédente",
            zh: "不得早于上一版本的生效日 {min}"),
        .versionInForce: LocalizedText(
            "This version is in force already; publish another one",
            fr: "Cette version est déjà en vigueur ; publiez-en une autre",
            zh: "该版本已生效，请发布新版本"),
        .invitationRefused: LocalizedText(
            "This invitation was used already or has expired", fr: "Cette invitation a déjà servi ou a expiré",
            zh: "该邀请已使用或已过期"),
        .invitationOwn: LocalizedText(
            "You made this invitation yourself; someone else must invite you",
            fr: "Vous avez créé cette invitation ; une autre personne doit vous inviter",
            zh: "这是您自己发出的邀请，须由他人邀请您"),
        .membershipByRule: LocalizedText(
            "A sign-in provider grants this membership; it ends when the provider no longer names this person",
            fr:
                "Un service de connexion accorde cette appartenance, qui prend fin quand il ne désigne plus la personne",
            zh: "此成员身份由登录服务授予，该服务不再指明此人时即告终止"),
    ])
}
