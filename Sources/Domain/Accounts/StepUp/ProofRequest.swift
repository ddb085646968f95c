public import Forms
public import JSON
public import Messages

/// A request that shows again who one is, found to show it in one way.
public struct ProofRequest: Sendable {
    /// What is shown.
    enum Shown: Sendable {
        case password(Password)
        case code(String)
        /// An assertion, which counts as a failed proof where it is malformed.
        case passkey(FormInput<Passkeys.Assertion>)
        /// What a provider's page sent, which counts as a failed proof where it is malformed.
        case provider(FormInput<ProviderProof>)
    }

    let shown: Shown
    /// Whether the request names a provider: the browser's visit there is over then.
    public let namesProvider: Bool

    /// What a request holds that shows who one is: one of the ways.
    public static let form = RequestForm("Proof", example: ["password": "correct horse battery"]) { ProofRequest(&$0) }

    /// Reads one of `{password}`, `{totp}`, `{passkey}` and `{provider}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    private init(_ form: inout Form) {
        let (password, code) = (form.text("password"), form.text("totp"))
        let passkey = form.object("passkey", as: Passkeys.assertion.schema)
        let provider = form.object("provider", as: ProviderProof.form.schema)
        namesProvider = form.has("provider")
        let isShown = [
            ("password", password != nil), ("totp", code != nil), ("passkey", passkey != nil),
            ("provider", provider != nil),
        ]
        if !isShown.contains(where: \.1) { form.refuse("password", .missingField) }
        for (name, _) in isShown.filter(\.1).dropFirst() { form.refuse(name, .unknownField) }
        if let passkey {
            shown = .passkey(Passkeys.assertion.input(.object(passkey)))
        } else if let provider {
            shown = .provider(ProviderProof.form.input(.object(provider)))
        } else if let password {
            shown = .password(Password(password))
        } else {
            shown = .code(code ?? "")
        }
    }
}

/// What a provider's page sent of the owner of a session, as far as it could be read.
struct ProviderProof: Sendable {
    /// Which provider.
    let provider: String?
    let reply: ProviderSignIn.Reply

    /// What a request holds that shows with a provider who one is: `id` names the provider.
    static let form = RequestForm("ProviderProof", example: ["id": "university", "code": "…", "state": "…"]) { form in
        ProviderProof(provider: form.text("id", required: true), reply: ProviderSignIn.Reply(&form))
    }
}
