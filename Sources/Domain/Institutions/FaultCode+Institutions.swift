public import GradingKit

extension FaultCode {
    /// The institution has the maximum number of service accounts.
    public static let serviceAccountLimit: FaultCode = "service_account_limit"
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
    /// The program has no draft to publish.
    public static let draftMissing: FaultCode = "draft_missing"
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
            fr: "Ce fuseau horaire n’existe pas ; écrivez-le ainsi : Europe/Paris ou UTC",
            zh: "没有此时区；请按 Europe/Paris 或 UTC 的格式填写"),
        .studentNumberTaken: LocalizedText(
            "Another member has this student number", fr: "Un autre membre a déjà ce numéro d’étudiant",
            zh: "该学号已属于另一名成员"),
        .programUnknown: LocalizedText(
            "The institution has no such program", fr: "L’établissement n’a pas cette formation", zh: "该院校没有此项目"),
        .accountUnknown: LocalizedText("There is no such account", fr: "Ce compte n’existe pas", zh: "没有此账号"),
        .draftMissing: LocalizedText(
            "There is no draft to publish", fr: "Il n’y a pas de brouillon à publier", zh: "没有可发布的草稿"),
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
