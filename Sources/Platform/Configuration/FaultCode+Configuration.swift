import Forms
public import Messages

extension FaultCode {
    /// Another institution of the configuration has this short name.
    public static let slugRepeated = FaultCode(
        "slug_repeated", "Another institution has this slug", fr: "Un autre établissement porte ce nom court",
        zh: "另一所院校已使用此短名称")
    /// Another provider of the configuration has this name.
    public static let providerRepeated = FaultCode(
        "provider_repeated", "Another provider has this id", fr: "Un autre service de connexion porte cet identifiant",
        zh: "另一个登录服务已使用此标识")
    /// Another provider of the configuration has this issuer.
    public static let issuerRepeated = FaultCode(
        "issuer_repeated", "Another provider has this issuer", fr: "Un autre service de connexion a ce même émetteur",
        zh: "另一个登录服务已使用此签发者")
    /// A rule would make administrators.
    public static let ruleAdministrator = FaultCode(
        "rule_administrator", "A provider's claims never make administrators",
        fr: "Les attributs d’un service de connexion ne font jamais d’administrateur", zh: "登录服务的声明不能授予管理员角色")
    /// A rule makes registrars without saying that it may.
    public static let ruleRegistrar = FaultCode(
        "rule_registrar", "A rule makes registrars only with “mayManage”: true",
        fr: "Une règle ne nomme des responsables de scolarité qu’avec « mayManage » : true",
        zh: "规则须设置 “mayManage”: true 才能授予教务角色")
    /// A rule has programs for a role that has none.
    public static let rulePrograms = FaultCode(
        "rule_programs", "Only teachers have programs", fr: "Seuls les enseignants ont des formations", zh: "只有教师有所属项目")
    /// A provider of one institution vouches for second factors, which count for the whole server.
    public static let vouchingOfInstitution = FaultCode(
        "vouching_of_institution",
        "A provider of one institution cannot vouch for second factors, which count on the whole server",
        fr:
            "Un second facteur vaut sur tout le serveur\u{202F}: le service d’un seul établissement ne peut le garantir",
        zh: "单一院校的登录服务不能担保第二重验证，因为它对整个服务器有效")
}

extension MessageCatalog {
    /// The messages for faults of a configuration.
    public static let configuration = MessageCatalog.general.adding(.forms).adding(
        MessageCatalog([
            .slugRepeated, .providerRepeated, .issuerRepeated, .ruleAdministrator, .ruleRegistrar, .rulePrograms,
            .vouchingOfInstitution,
        ]))
}
