import GradingKit
public import Shared

/// A line of a class's ledger: what one act did to one student's row, or to the structure, and who did it.
public struct LedgerLine: Sendable, Equatable {
    /// The class.
    public let classID: ClassID
    /// Its place in the class's ledger, from 1.
    public let number: Int
    /// The student in the class; `nil` for the structure.
    public let enrolment: EnrolmentID?
    /// The class's version that the act made.
    public let version: Version
    /// When.
    public let at: Timestamp
    /// Who.
    public let account: AccountID
    /// From where.
    public let source: String
    /// What was done: `cells`, `structure`, `post`, `enrol`, `withdraw`, `undo` …
    public let operation: String
    /// Why, in the words of the person.
    public let reason: String?
    /// JSON text of what stood there: the changed cells by their numbers, or the number of the structure.
    public let before: [UInt8]?
    /// JSON text of what stands there now.
    public let after: [UInt8]?
    /// The lines whose results students saw change. Not part of the seal, because it follows from the structures.
    public let seen: SeenLines

    /// The operation of marking empty cells as missing after their due day, which the server does by itself.
    public static let missed = "missed"
    /// The operation of correcting results in a closed class.
    public static let correction = "correction"
    /// The operation of asking for a correction.
    public static let correctionRequested = "correction_asked"
    /// The operation of refusing a correction, or taking it back.
    public static let correctionRefused = "correction_refused"
    /// The operation of judging a row by another version of the program.
    public static let moved = "move"

    /// A line.
    public init(
        classID: ClassID, number: Int, enrolment: EnrolmentID?, version: Version, at: Timestamp, account: AccountID,
        source: String,
        operation: String, reason: String?, before: [UInt8]?, after: [UInt8]?, seen: SeenLines = SeenLines()
    ) {
        self.classID = classID
        self.number = number
        self.enrolment = enrolment
        self.version = version
        self.at = at
        self.account = account
        self.source = source
        self.operation = operation
        self.reason = reason
        self.before = before
        self.after = after
        self.seen = seen
    }

    /// The correction that was asked for or decided; `nil` for other acts.
    public var correctionID: CorrectionID? {
        guard enrolment == nil,
            [Self.correction, Self.correctionRequested, Self.correctionRefused].contains(operation)
        else { return nil }
        return after.flatMap { try? JSON.parse($0) }?["correction"]?.string.map { CorrectionID($0) }
    }

    /// What ties it to the one before it in its class.
    public func seal(after previous: [UInt8]?) -> ChainSeal {
        AuditChain.seal({ particulars(&$0) }, { metadata(&$0) }, after: previous)
    }

    /// What is hashed by digest only, so that it can be erased.
    public func particulars(_ values: inout HashedValues) {
        values.append(operation)
        values.append(reason)
        values.append(before)
        values.append(after)
    }

    /// What is hashed into the chain itself.
    public func metadata(_ values: inout HashedValues) {
        values.append("class")
        values.append(classID.text)
        values.append(enrolment?.text)
        values.append(version)
        values.append(Int(at.microseconds))
        values.append(account.text)
        values.append(source)
    }
}
