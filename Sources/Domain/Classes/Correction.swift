public import Shared

/// A change of results in a closed class: one person requests it, and another approves it.
public struct Correction: Sendable, Equatable {
    /// The stage of a correction.
    public enum State: String, Sendable, CaseIterable {
        /// Undecided.
        case waiting
        /// Approved, and entered in the same transaction.
        case entered
        /// Refused, or withdrawn by the person who requested it.
        case refused
        /// Not decided in time.
        case void
    }

    /// The number of days within which a correction can be approved.
    public static let days = 30

    /// The correction.
    public let id: CorrectionID
    /// The class.
    public let classID: ClassID
    /// The person who requested it.
    public let account: AccountID
    /// When.
    public let at: Timestamp
    /// The reason, in the person's own words.
    public let reason: String
    /// JSON text of the cells in the form of requests, each with its content at the time of the request.
    public let cells: [UInt8]
    /// The stage at the last change; see ``state(at:)``.
    public private(set) var decision: State
    /// Who approved or refused it.
    public private(set) var decidedBy: AccountID?
    /// When.
    public private(set) var decidedAt: Timestamp?

    /// A correction.
    public init(
        id: CorrectionID, classID: ClassID, account: AccountID, at: Timestamp, reason: String, cells: [UInt8],
        decision: State = .waiting, decidedBy: AccountID? = nil, decidedAt: Timestamp? = nil
    ) {
        self.id = id
        self.classID = classID
        self.account = account
        self.at = at
        self.reason = reason
        self.cells = cells
        self.decision = decision
        self.decidedBy = decidedBy
        self.decidedAt = decidedAt
    }

    /// The stage at a moment.
    public func state(at now: Timestamp) -> State {
        decision == .waiting && Self.oldest(at: now) > at ? .void : decision
    }

    /// The time before which requested corrections can no longer be approved.
    public static func oldest(at now: Timestamp) -> Timestamp {
        Timestamp(microseconds: now.microseconds - Int64(days) * 86_400_000_000)
    }

    /// The correction after a decision.
    public func decided(_ decision: State, by account: AccountID, at now: Timestamp) -> Correction {
        var decided = self
        decided.decision = decision
        decided.decidedBy = account
        decided.decidedAt = now
        return decided
    }
}
