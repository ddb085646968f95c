/// How long a sign-in lasts: the more it can do, the shorter.
public enum SessionKind: String, Sendable, CaseIterable {
    /// 30 days.
    case student
    /// 24 hours, and one hour without a request.
    case staff
    /// 12 hours, and 15 minutes without a request.
    case administrator

    /// Seconds from signing in to the end.
    public var lifetime: Int64 {
        switch self {
        case .student: 30 * 86_400
        case .staff: 86_400
        case .administrator: 12 * 3_600
        }
    }

    /// Seconds without a request after which it ends; `nil` for never.
    public var idleLimit: Int64? {
        switch self {
        case .student: nil
        case .staff: 3_600
        case .administrator: 15 * 60
        }
    }

    /// The kind of an account's sessions.
    ///
    /// - Parameter isStaff: whether the account is registrar or teacher anywhere.
    init(of account: Account, isStaff: Bool) {
        self = account.role == .administrator ? .administrator : isStaff ? .staff : .student
    }

    /// How old the stored time of the last request may grow, in seconds, so that requests rarely write.
    var touchInterval: Int64 { idleLimit.map { $0 / 15 } ?? 3_600 }
}
