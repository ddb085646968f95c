import GradingKit
import HTTP

/// A problem that a route may answer with: its status and its code.
struct ProblemKind: Sendable, Hashable {
    let status: Int
    let code: FaultCode

    init(_ status: Int, _ code: FaultCode) {
        self.status = status
        self.code = code
    }

    static let malformed = ProblemKind(400, "malformed")
    static let unauthenticated = ProblemKind(401, "unauthenticated")
    static let secondFactorRequired = ProblemKind(401, "second_factor_required")
    static let tokenExpired = ProblemKind(401, "token_expired")
    static let insufficientScope = ProblemKind(403, "insufficient_scope")
    static let sessionRequired = ProblemKind(403, "session_required")
    static let stepUpRequired = ProblemKind(401, "step_up_required")
    static let enrolmentRequired = ProblemKind(403, "enrolment_required")
    static let forbidden = ProblemKind(403, "forbidden")
    static let tlsRequired = ProblemKind(403, "tls_required")
    static let notFound = ProblemKind(404, "not_found")
    static let entryNotFound = ProblemKind(404, "entry_not_found")
    static let versionConflict = ProblemKind(409, "version_conflict")
    static let digestMismatch = ProblemKind(409, "digest_mismatch")
    static let nothingToUndo = ProblemKind(409, "nothing_to_undo")
    static let cellConflict = ProblemKind(409, "cell_conflict")
    static let lineChanged = ProblemKind(409, "line_changed")
    static let structureChanged = ProblemKind(409, "structure_changed")
    static let givenChanged = ProblemKind(409, "given_changed")
    static let sectionChanged = ProblemKind(409, "section_changed")
    static let tooLarge = ProblemKind(413, "too_large")
    static let unsupportedMediaType = ProblemKind(415, "unsupported_media_type")
    static let misdirected = ProblemKind(421, "misdirected")
    static let invalid = ProblemKind(422, "invalid")
    static let idempotencyMismatch = ProblemKind(422, "idempotency_mismatch")
    static let upgradeRequired = ProblemKind(426, "malformed")
    static let tooManyConnections = ProblemKind(429, "too_many_connections")
    static let rateLimited = ProblemKind(429, "rate_limited")
    static let `internal` = ProblemKind(500, "internal")
    static let unavailable = ProblemKind(503, "unavailable")
    static let providerUnavailable = ProblemKind(503, "provider_unavailable")
    static let deadlinePassed = ProblemKind(503, "deadline_passed")
    static let notComputable = ProblemKind(503, "not_computable")
    static let storageFull = ProblemKind(507, "storage_full")
}

extension Route {
    /// Every problem that the route may answer with: its own, and those that follow from what it reads.
    var problems: [ProblemKind] {
        var kinds: Set<ProblemKind> = [
            .malformed, .unauthenticated, .tlsRequired, .misdirected, .rateLimited, .internal, .unavailable,
            .deadlinePassed,
        ]
        kinds.formUnion(shape.refuses)
        kinds.formUnion([.tokenExpired, .forbidden])
        if shape.unfinished != .everybody { kinds.insert(.enrolmentRequired) }
        switch scope {
        case .scope: kinds.insert(.insufficientScope)
        case .session: kinds.insert(.sessionRequired)
        case .any: break
        }
        if !pathParameters.isEmpty { kinds.insert(.notFound) }
        if !method.isSafe { kinds.formUnion([.storageFull, .tooLarge]) }
        if let body = shape.body {
            kinds.insert(.unsupportedMediaType)
            if body.takesJSON { kinds.insert(.invalid) }
        }
        if mayWait { kinds.insert(.tooManyConnections) }
        if shape.reads.contains(Header.ifMatch.description.name) { kinds.insert(.versionConflict) }
        if shape.reads.contains(Header.idempotencyKey.description.name) { kinds.insert(.idempotencyMismatch) }
        return kinds.sorted { ($0.status, $0.code) < ($1.status, $1.code) }
    }
}
