/// The kind of a session, which limits its duration: the more rights, the shorter.
public enum SessionKind: String, Sendable, CaseIterable {
    /// 30 days, without an idle limit.
    case student
    /// 24 hours, or one hour without a request.
    case staff
    /// 12 hours, or 15 minutes without a request.
    case administrator

    /// The maximum duration in seconds.
    public var lifetime: Int64 {
        switch self {
        case .student: 30 * 86_400
        case .staff: 86_400
        case .administrator: 12 * 3_600
        }
    }

    /// The time in seconds without a request after which it ends; `nil` for no limit.
    public var idleLimit: Int64? {
        switch self {
        case .student: nil
        case .staff: 3_600
        case .administrator: 15 * 60
        }
    }

    /// Creates the kind of an account's sessions.
    ///
    /// - Parameter isStaff: Whether the account is a registrar or teacher of any institution.
    package init(of account: Account, isStaff: Bool) {
        self = account.role == .administrator ? .administrator : isStaff ? .staff : .student
    }

    /// The time in seconds after which the stored time of the last request is renewed, so that requests rarely write.
    package var touchInterval: Int64 { idleLimit.map { $0 / 15 } ?? 3_600 }
}
