package import Cryptography
import JSON
package import Messages
package import Shared

/// Checks codes against encrypted seeds.
package struct SecondFactorCodes: Sendable {
    package let sealer: SecretSealer
    /// The name of this server in authenticator apps.
    package let issuer: String

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - sealer: Encrypts the seeds.
    ///   - issuer: The name of this server in authenticator apps.
    package init(sealer: SecretSealer, issuer: String) {
        self.sealer = sealer
        self.issuer = issuer
    }

    package func seal(_ seed: [UInt8], of account: AccountID, random: RandomSource) throws -> [UInt8] {
        try sealer.seal(seed, for: context(account), random: random)
    }

    /// Returns the time step of a code for an encrypted seed; `nil` if the code is wrong or another key encrypted the
    /// seed.
    package func step(
        of code: TypedCode, by seed: [UInt8], of account: AccountID, at now: Timestamp, after last: Int64?
    ) -> Int64? {
        guard case .app(let text) = code, let seed = sealer.open(seed, for: context(account)) else { return nil }
        return OneTimePassword(seed: seed).step(of: text, at: now.microseconds / 1_000_000, after: last)
    }

    /// Plans to check a code and to use it up.
    package func use(_ code: TypedCode, of factor: SecondFactor, by act: AuditContext) -> AccountPlan<
        SecondFactorPlans.Verdict
    > {
        SecondFactorPlans.use(code, of: factor, by: act) { text, app in
            step(of: .app(text), by: app.seed, of: factor.account, at: act.at, after: app.lastStep)
        }
    }

    /// Returns the `otpauth` URL that authenticator apps read.
    package func address(of seed: [UInt8], login: String) -> String {
        let parameters = "algorithm=SHA1&digits=\(OneTimePassword.digits)&period=\(OneTimePassword.period)"
        let label = "\(escaped(issuer)):\(escaped(login))"
        return "otpauth://totp/\(label)?secret=\(Base32.encode(seed))&issuer=\(escaped(issuer))&\(parameters)"
    }

    private func context(_ account: AccountID) -> String { "totp \(account.text)" }

    private func escaped(_ text: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        return text.utf8.map { plain.contains($0) ? String(UnicodeScalar($0)) : "%" + [$0].hexadecimal.uppercased() }
            .joined()
    }
}

/// The errors of refused codes.
package enum CodeRefusal {
    package static let refused = FaultList([Fault(.codeRefused, at: "/code")])
    package static let expired = FaultList([Fault(.signInExpired)])

    /// Runs a write about something that waits, and reports a missing one as expired.
    package static func expiring<Value>(_ write: () async throws -> Value) async throws -> Value {
        do {
            return try await write()
        } catch StoreError.notFound {
            throw expired
        }
    }
}
