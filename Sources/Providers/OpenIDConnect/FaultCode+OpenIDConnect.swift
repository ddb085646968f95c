import Messages
import Outbound

extension FaultCode {
    /// The provider's own name for itself differs from the configured issuer.
    static let issuerDiffers = FaultCode(
        "issuer_differs", "The provider’s name is {found}, the configuration says {expected}; they must be identical",
        fr: "Le service se nomme {found}, la configuration indique {expected} ; ils doivent être identiques",
        zh: "该服务自称 {found}，而配置为 {expected}；两者必须完全一致")
    /// The provider's description lacks something, or has an address without `https`.
    static let metadataIncomplete = FaultCode(
        "metadata_incomplete", "The provider’s description has no usable {name}",
        fr: "La description du service ne contient pas de {name} utilisable", zh: "该服务的描述文档中没有可用的 {name}")
    /// The provider supports PKCE, but not with S256.
    static let pkceMissing = FaultCode(
        "pkce_missing", "The provider does not offer PKCE with S256", fr: "Le service ne propose pas PKCE avec S256",
        zh: "该服务不支持使用 S256 的 PKCE")
    /// The provider does not say whether it supports PKCE.
    static let pkceUntold = FaultCode(
        "pkce_untold", "The provider does not say whether it supports PKCE with S256; look into its manual",
        fr: "Le service ne dit pas s’il accepte PKCE avec S256 ; consultez sa documentation",
        zh: "该服务未说明是否支持使用 S256 的 PKCE，请查阅其文档")
    /// None of the provider's keys is for an accepted algorithm.
    static let keyMissing = FaultCode(
        "key_missing", "None of the provider’s keys is for {algorithms}",
        fr: "Aucune clé du service ne convient à {algorithms}", zh: "该服务的密钥均不适用于 {algorithms}")
    /// The provider does not know the client, or has a different secret for it.
    static let clientRefused = FaultCode(
        "client_refused", "The provider does not accept the client id or its secret ({status} {word})",
        fr: "Le service n’accepte pas l’identifiant du client ou son secret ({status} {word})",
        zh: "该服务不接受客户端标识或其密钥（{status} {word}）")
    /// The provider answers the code exchange in an unexpected way.
    static let exchangeRefused = FaultCode(
        "exchange_refused",
        "The provider answered the exchange of a code with {status} {word}; look at the redirect address",
        fr: "Le service a répondu {status} {word} à l’échange d’un code ; vérifiez l’adresse de redirection",
        zh: "该服务对授权码交换返回 {status} {word}，请检查回调地址")
}

extension MessageCatalog {
    /// The messages for faults of an OpenID Connect provider.
    static let openIDConnect = MessageCatalog.outbound.adding(
        MessageCatalog([
            .issuerDiffers, .metadataIncomplete, .pkceMissing, .pkceUntold, .keyMissing, .clientRefused,
            .exchangeRefused,
        ]))
}
