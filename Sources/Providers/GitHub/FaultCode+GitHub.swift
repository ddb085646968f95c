import Messages
import Outbound

extension FaultCode {
    /// GitHub does not know the client, or has a different secret for it.
    static let clientRefused = FaultCode(
        "client_refused", "GitHub does not accept the client id or its secret ({word})",
        fr: "GitHub n’accepte pas l’identifiant du client ou son secret ({word})",
        zh: "GitHub 不接受客户端标识或其密钥（{word}）")
    /// GitHub does not know the page to which it should send browsers back.
    static let callbackRefused = FaultCode(
        "callback_refused", "GitHub knows another callback address ({word})",
        fr: "GitHub connaît une autre adresse de rappel ({word})", zh: "在 GitHub 登记的回调地址不同（{word}）")
}

extension MessageCatalog {
    /// The messages for faults of GitHub.
    static let gitHub = MessageCatalog.outbound.adding(
        MessageCatalog([.clientRefused, .callbackRefused]))
}
