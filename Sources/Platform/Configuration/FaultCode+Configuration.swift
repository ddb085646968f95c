import Forms
public import Messages

extension FaultCode {
    /// Another institution of the configuration has this short name.
    public static let slugRepeated: FaultCode = "slug_repeated"
    /// Another provider of the configuration has this name.
    public static let providerRepeated: FaultCode = "provider_repeated"
    /// Another provider of the configuration has this issuer.
    public static let issuerRepeated: FaultCode = "issuer_repeated"
}

extension MessageCatalog {
    /// The wording of what can be wrong with a configuration.
    public static let configuration = MessageCatalog.general.adding(.forms).adding(
        MessageCatalog([
            .slugRepeated: LocalizedText(
                "Another institution has this slug", fr: "Un autre établissement porte ce nom court",
                zh: "另一所院校已使用此短名称"),
            .providerRepeated: LocalizedText(
                "Another provider has this id", fr: "Un autre service de connexion porte cet identifiant",
                zh: "另一个登录服务已使用此标识"),
            .issuerRepeated: LocalizedText(
                "Another provider has this issuer", fr: "Un autre service de connexion a ce même émetteur",
                zh: "另一个登录服务已使用此签发者"),
        ]))
}
