import Accounts
import HTTP
import Live
import Shared

/// What a token needs to be let in: by a route, or to a live topic. Each declares one; sessions are let in to all.
enum RouteScope: Sendable, Equatable {
    /// A token with this scope.
    case scope(Scope)
    /// No token will do.
    case session
    /// Any token: the answer says nothing of anybody, or what it says is decided by the topics that are asked for.
    case any

    static let profileRead = RouteScope.scope(.profileRead)
    static let recordsRead = RouteScope.scope(.recordsRead)
    static let recordsWrite = RouteScope.scope(.recordsWrite)
    static let resultsWrite = RouteScope.scope(.resultsWrite)
    static let rosterRead = RouteScope.scope(.rosterRead)
    static let rosterWrite = RouteScope.scope(.rosterWrite)
    static let programsRead = RouteScope.scope(.programsRead)
    static let programsWrite = RouteScope.scope(.programsWrite)
    static let auditRead = RouteScope.scope(.auditRead)
    static let backup = RouteScope.scope(.backup)

    /// As the description of the API writes it.
    var text: String {
        switch self {
        case .scope(let scope): scope.rawValue
        case .session: "session"
        case .any: "any"
        }
    }

    /// The scope that a token needs; `nil` where none will do, or any.
    var required: Scope? { if case .scope(let scope) = self { scope } else { nil } }

    /// Whether it lets a caller in, as far as tokens go.
    func isOpen(to principal: Principal) -> Bool {
        switch self {
        case .scope(let scope): principal.has(scope)
        case .session: if case .token = principal { false } else { true }
        case .any: true
        }
    }

    /// Throws `insufficient_scope` or `session_required` for a token that it does not let in.
    func check(_ principal: Principal) throws(Problem) {
        guard !isOpen(to: principal) else { return }
        guard case .scope(let scope) = self else { throw .sessionRequired }
        throw .insufficientScope(scope)
    }
}

extension Topic {
    /// What a token needs to follow it.
    var scope: RouteScope {
        switch self {
        case .standing, .record, .cohort, .records, .taughtClass, .row, .grid: .recordsRead
        case .program: .programsRead
        case .shared: .session
        }
    }
}

extension TokenBearer {
    /// Whether the token works from an address.
    func works(from client: IPAddress) -> Bool { networks.letIn(client) }
}

extension [String] {
    /// Whether these networks, as CIDR, let an address in; an empty list lets in everybody.
    func letIn(_ client: IPAddress) -> Bool { isEmpty || compactMap { IPNetwork($0) }.contain(client) }
}
