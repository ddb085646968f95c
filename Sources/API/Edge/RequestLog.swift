import Accounts
import GradingKit
import HTTP
public import Observability
import Shared
import Synchronization
import Transport

/// A line in the log for each request, so that one can be followed through the server and, by its trace, beyond it.
///
/// A line has identifiers and no names, no query and no path: those of pages and of links may hold secrets.
public struct RequestLog: Sendable {
    private let log: Log
    private let onlyErrors: Bool

    /// A log of requests.
    ///
    /// - Parameters:
    ///   - log: writes the lines.
    ///   - onlyErrors: whether only answers with a status from 400 on have a line.
    public init(_ log: Log, onlyErrors: Bool) {
        self.log = log
        self.onlyErrors = onlyErrors
    }

    /// Writes the line of an answer.
    func write(_ line: RequestLine, _ status: Status, bytes: Int?, version: String? = nil) {
        if onlyErrors, status.code < 400 { return }
        log.write(status.code < 500 ? .info : .error, "request", line.fields(status, bytes: bytes, version: version))
    }

    /// Writes the line of a request that could not be read; returns what names it.
    func write(unreadable status: Status) -> String {
        let id = RequestLine.newID()
        log.write(
            status.code < 500 ? .info : .error, "request", [("request", .text(id)), ("status", .integer(status.code))])
        return id
    }
}

/// What is known of a request until its answer.
///
/// A class, so that a request costs no memory for it where requests are not logged.
final class RequestLine: Sendable {
    /// 16 hexadecimal digits that name the request, as `X-Request-Id` of its answer does.
    let id: String
    private let trace: String
    private let parent: String?
    private let method: String
    private let client: IPAddress
    private let route: String?
    private let parameters: RouteParameters?
    private let start = ContinuousClock.now
    private let account = Mutex<AccountID?>(nil)

    /// The line of a request that has just come in.
    ///
    /// - Parameters:
    ///   - client: the client's address, or the peer's if it is not known which client a proxy speaks for.
    ///   - route: the pattern of the route; `nil` for a page and for what is not found.
    init(of request: Request, from client: IPAddress, to route: String?, _ parameters: RouteParameters?) {
        let caller = request.headers["traceparent"].flatMap { TraceParent($0) }
        id = Self.newID()
        trace = caller?.trace ?? Self.hexadecimal(.random(in: 1 ... .max)) + Self.hexadecimal(.random(in: 0 ... .max))
        parent = caller?.parent
        // A method may be as long as a head.
        method = String(request.method.description.prefix(16))
        self.client = client
        self.route = route
        self.parameters = parameters
    }

    /// Returns a log whose lines name the request.
    func naming(_ log: Log) -> Log { log.with(["request": .text(id), "trace": .text(trace)]) }

    /// Says which account asks; `nil` for a guest.
    func note(_ account: AccountID?) { self.account.withLock { $0 = account } }

    /// Parameters of routes that identify something; others, such as the code of an invitation, are secret.
    private static let identifiers = ["record", "program", "class", "institution"]

    /// Whether a text has the form of an identifier or a short name. Anything else in its place may be a secret, such as
    /// a token.
    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count <= 64
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }

    func fields(_ status: Status, bytes: Int?, version: String?) -> [(String, LogValue)] {
        let duration = start.duration(to: .now)
        var fields: [(String, LogValue)] = [
            ("request", .text(id)), ("trace", .text(trace)), ("method", .text(method)),
            ("status", .integer(status.code)), ("microseconds", .integer(Int(duration / .microseconds(1)))),
            ("client", LogValue(client)),
        ]
        if let parent { fields.append(("parent", .text(parent))) }
        if let route { fields.append(("route", .text(route))) }
        for name in Self.identifiers {
            if let value = parameters?[name], Self.isIdentifier(value) { fields.append((name, .text(value))) }
        }
        if let account = account.withLock({ $0 }) { fields.append(("account", .text(account.text))) }
        if let bytes { fields.append(("bytes", .integer(bytes))) }
        if let version { fields.append(("version", .text(version.replacing("\"", with: "")))) }
        return fields
    }

    /// Returns 16 hexadecimal digits that name a request.
    static func newID() -> String { hexadecimal(.random(in: 1 ... .max)) }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
