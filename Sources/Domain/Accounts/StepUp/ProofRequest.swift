public import Forms
import JSON
import Messages

/// A request in which a session's owner proves their identity again, in one way.
public struct ProofRequest: Sendable {
    /// The proof that was sent.
    package enum Shown: Sendable {
        case password(Password)
        case code(String)
        /// A passkey's assertion. A malformed one counts as a failed proof.
        case passkey(FormInput<PasskeyAssertion>)
        /// What a provider's page sent. A malformed reply counts as a failed proof.
        case provider(FormInput<ProviderProof>)
    }

    package let shown: Shown
    /// Whether the request names a provider. If so, the browser's attempt there has ended.
    public let namesProvider: Bool

    /// The form of a request with one proof.
    public static let form = RequestForm("Proof", example: ["password": "correct horse battery"]) { ProofRequest(&$0) }

    private init(_ form: inout Form) {
        let (password, code) = (form.text("password"), form.text("totp"))
        let passkey = form.object("passkey", as: PasskeyAssertion.form.schema)
        let provider = form.object("provider", as: ProviderProof.form.schema)
        namesProvider = form.has("provider")
        let isShown = [
            ("password", password != nil), ("totp", code != nil), ("passkey", passkey != nil),
            ("provider", provider != nil),
        ]
        if !isShown.contains(where: \.1) { form.refuse("password", .missingField) }
        for (name, _) in isShown.filter(\.1).dropFirst() { form.refuse(name, .unknownField) }
        if let passkey {
            shown = .passkey(PasskeyAssertion.form.input(.object(passkey)))
        } else if let provider {
            shown = .provider(ProviderProof.form.input(.object(provider)))
        } else if let password {
            shown = .password(Password(password))
        } else {
            shown = .code(code ?? "")
        }
    }
}

/// What a provider's page sent about a session's owner, as far as it could be read.
package struct ProviderProof: Sendable {
    /// The name of the provider.
    package let provider: String?
    package let reply: ProviderReply

    /// The form of a proof with a provider; `id` names the provider.
    package static let form = RequestForm("ProviderProof", example: ["id": "university", "code": "…", "state": "…"]) {
        form in
        ProviderProof(provider: form.text("id", required: true), reply: ProviderReply(&form))
    }
}
