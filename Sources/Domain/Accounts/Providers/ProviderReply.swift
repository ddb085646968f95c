package import Forms
import JSON
package import Messages

/// What a provider's page sent, with the name of its attempt.
public struct ProviderReply: Sendable {
    private let proofs: [Callback.Proof: String]
    private let attempts: [String: String]
    private let issuer: String?

    package init(_ form: inout Form) {
        var proofs: [Callback.Proof: String] = [:]
        for kind in Callback.Proof.allCases { proofs[kind] = form.text(kind.rawValue) }
        var attempts: [String: String] = [:]
        for name in ["state", "attempt"] { attempts[name] = form.text(name) }
        self.proofs = proofs
        self.attempts = attempts
        issuer = form.text("iss")
    }

    /// Returns the proof of a kind with the attempt's name; throws a `FaultList` if one is missing.
    package func read(_ kind: Callback.Proof) throws(FaultList) -> (callback: Callback, attempt: String) {
        var faults = FaultList()
        if proofs[kind] == nil { faults.add(.missingField, at: "/\(kind.rawValue)") }
        if attempts[kind.attemptName] == nil { faults.add(.missingField, at: "/\(kind.attemptName)") }
        try faults.check()
        let callback = Callback(proof: proofs[kind] ?? "", issuer: issuer)
        return (callback, attempts[kind.attemptName] ?? "")
    }
}
