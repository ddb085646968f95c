import Accounts
import Application
import Cryptography
import GradingKit
import HTTP
import Shared

/// How a session reaches its owner: as a token in the body, or as a cookie that no script can read.
struct SessionCookies: Sendable {
    /// Whether browsers reach the server over TLS; plain loopback has a cookie of its own.
    let isSecure: Bool

    private var name: String { Authenticator.sessionCookie(isSecure: isSecure) }

    private var attemptName: String { (isSecure ? "__Host-" : "") + Authenticator.attemptCookie }

    /// Returns 201 with the account and the session. A client that keeps its token itself also gets the text to send as
    /// `device` at its next sign-in.
    func answer(_ admission: NewSession, asCookie wantsCookie: Bool, returnTo: String? = nil) -> Response {
        var response = Response.json(.created) { writer in
            writer.object { writer in
                writer.member("account") { admission.account.write(to: &$0) }
                writer.member("session") { writer in
                    writer.object {
                        $0.member("id", admission.session.id.text)
                        if !wantsCookie { $0.member("token", admission.token.text) }
                        $0.member("expiresAt", admission.session.expiresAt.description)
                    }
                }
                if !wantsCookie { writer.member("device", admission.device.text) }
                if let returnTo { writer.member("returnTo", returnTo) }
            }
        }
        if wantsCookie {
            let lifetime = admission.session.kind.lifetime
            response.headers.append("Set-Cookie", cookie(name, admission.token.text, lifetime: lifetime))
            response.headers.append(
                "Set-Cookie", cookie(Authenticator.deviceCookie, admission.device.text, lifetime: 365 * 86_400))
        }
        return response
    }

    /// Returns the response with a field that deletes the session cookie.
    func clearing(_ response: Response) -> Response {
        var response = response
        response.headers.append("Set-Cookie", cookie(name, "", lifetime: 0))
        return response
    }

    /// Returns the response with a cookie that identifies the browser when it comes back from the provider.
    ///
    /// - Parameter lifetime: the lifetime of the cookie, in seconds.
    func setting(_ attempt: SecretToken, for lifetime: Int64, on response: Response) -> Response {
        var response = response
        response.headers.append("Set-Cookie", cookie(attemptName, attempt.text, lifetime: lifetime))
        return response
    }

    /// Returns the response with a field that deletes the cookie of the sign-in attempt.
    func clearingAttempt(_ response: Response) -> Response {
        var response = response
        response.headers.append("Set-Cookie", cookie(attemptName, "", lifetime: 0))
        return response
    }

    /// Returns the cookie that the browser got when it left for the provider; `nil` if it sends none.
    func attempt(of call: Call) -> SecretToken? { call.cookie(attemptName) }

    private func cookie(_ name: String, _ value: String, lifetime: Int64) -> String {
        let secure = isSecure ? "; Secure" : ""
        return "\(name)=\(value); Path=/; Max-Age=\(lifetime); HttpOnly; SameSite=Strict\(secure)"
    }
}
