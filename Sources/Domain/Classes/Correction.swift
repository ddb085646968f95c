public import Shared

/// A change of results in a closed class: one person asks for it, and a second one approves it.
public struct Correction: Sendable, Equatable {
    /// How far a correction is.
    public enum State: String, Sendable, CaseIterable {
        /// Not decided yet.
        case waiting
        /// Approved, and entered in the same transaction.
        case entered
        /// Refused, or taken back by the person who asked for it.
        case refused
        /// Not decided within the time there was for it.
        case void
    }

    /// For how many days a correction can be approved.
    public static let days = 30

    /// The correction.
    public let id: CorrectionID
    /// The class.
    public let classID: ClassID
    /// Who asked for it.
    public let account: AccountID
    /// When.
    public let at: Timestamp
    /// Why, in the words of the person.
    public let reason: String
    /// JSON text of the cells as a request names them, each with what stood there when the correction was asked for.
    public let cells: [UInt8]
    /// How far it was when it was last changed; see ``state(at:)``.
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

    /// How far it is at a moment.
    public func state(at now: Timestamp) -> State {
        decision == .waiting && Self.oldest(at: now) > at ? .void : decision
    }

    /// When the oldest correction was asked for that can still be approved.
    public static func oldest(at now: Timestamp) -> Timestamp {
        Timestamp(microseconds: now.microseconds - Int64(days) * 86_400_000_000)
    }

    /// The same after a decision.
    public func decided(_ decision: State, by account: AccountID, at now: Timestamp) -> Correction {
        var decided = self
        decided.decision = decision
        decided.decidedBy = account
        decided.decidedAt = now
        return decided
    }
}
