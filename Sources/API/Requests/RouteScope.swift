import Accounts
import HTTP
import Live
import Shared

/// What an API token needs to call a route or to follow a live topic. Each declares one; sessions are never limited.
enum RouteScope: Sendable, Equatable {
    /// A token with this scope.
    case scope(Scope)
    /// No token suffices.
    case session
    /// Any token: the answer has no personal data, or the scopes of the requested topics decide.
    case any

    static let profileRead = RouteScope.scope(.profileRead)
    static let recordsRead = RouteScope.scope(.recordsRead)
    static let recordsWrite = RouteScope.scope(.recordsWrite)
    static let classesRead = RouteScope.scope(.classesRead)
    static let classesWrite = RouteScope.scope(.classesWrite)
    static let resultsWrite = RouteScope.scope(.resultsWrite)
    static let rosterRead = RouteScope.scope(.rosterRead)
    static let rosterWrite = RouteScope.scope(.rosterWrite)
    static let programsRead = RouteScope.scope(.programsRead)
    static let programsWrite = RouteScope.scope(.programsWrite)
    static let auditRead = RouteScope.scope(.auditRead)
    static let metrics = RouteScope.scope(.metrics)
    static let backup = RouteScope.scope(.backup)

    /// The text in the API's description.
    var text: String {
        switch self {
        case .scope(let scope): scope.rawValue
        case .session: "session"
        case .any: "any"
        }
    }

    /// The scope that a token needs; `nil` if no token suffices, or any does.
    var required: Scope? { if case .scope(let scope) = self { scope } else { nil } }

    /// Returns whether the caller is let in; only tokens are limited.
    func isOpen(to principal: Principal) -> Bool {
        switch self {
        case .scope(let scope): principal.has(scope)
        case .session: if case .token = principal { false } else { true }
        case .any: true
        }
    }

    /// Checks the caller; throws `insufficient_scope` or `session_required` for a token that is not let in.
    func check(_ principal: Principal) throws(Problem) {
        guard !isOpen(to: principal) else { return }
        guard case .scope(let scope) = self else { throw .sessionRequired }
        throw .insufficientScope(scope)
    }
}

extension Topic {
    /// What a token needs to follow the topic.
    var scope: RouteScope {
        switch self {
        case .standing, .record, .cohort, .records, .feed: .recordsRead
        case .taughtClass, .row, .grid: .classesRead
        case .program: .programsRead
        case .shared: .session
        }
    }
}

extension TokenBearer {
    /// Returns whether the token works from an address.
    func works(from client: IPAddress) -> Bool { networks.letIn(client) }
}

extension [String] {
    /// Returns whether these networks, in CIDR notation, let an address in; an empty list lets in every address.
    func letIn(_ client: IPAddress) -> Bool { isEmpty || compactMap { IPNetwork($0) }.contain(client) }
}
