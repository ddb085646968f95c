import GradingKit
public import Shared

/// A line of a class's ledger: the effect of one act on one student's row or on the structure, and its author.
public struct LedgerLine: Sendable, Equatable {
    /// The class.
    public let classID: ClassID
    /// Its number in the class's ledger, from 1.
    public let number: Int
    /// The student in the class; `nil` for the structure.
    public let enrolment: EnrolmentID?
    /// The version of the class after the act.
    public let version: Version
    /// When.
    public let at: Timestamp
    /// The account that acted.
    public let account: AccountID
    /// The network address or other source of the request.
    public let source: String
    /// The operation: `cells`, `structure`, `post`, `enrol`, `withdraw`, `undo` …
    public let operation: String
    /// The reason, in the person's own words.
    public let reason: String?
    /// JSON text of the content before: the changed cells by number, or the number of the structure.
    public let before: [UInt8]?
    /// JSON text of the content after.
    public let after: [UInt8]?
    /// The lines whose results changed for students. Not part of the seal, because it follows from the structures.
    public let seen: SeenLines

    /// The operation of the server marking empty cells as missing after the due day.
    public static let missed = "missed"
    /// The operation of correcting results in a closed class.
    public static let correction = "correction"
    /// The operation of requesting a correction.
    public static let correctionRequested = "correction_asked"
    /// The operation of refusing or withdrawing a correction.
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

    /// The correction that was requested or decided; `nil` for other acts.
    public var correctionID: CorrectionID? {
        guard enrolment == nil,
            [Self.correction, Self.correctionRequested, Self.correctionRefused].contains(operation)
        else { return nil }
        return after.flatMap { try? JSON.parse($0) }?["correction"]?.string.map { CorrectionID($0) }
    }

    /// The seal that links it to the previous line of the class.
    public func seal(after previous: [UInt8]?) -> ChainSeal {
        AuditChain.seal({ particulars(&$0) }, { metadata(&$0) }, after: previous)
    }

    /// The values of which only a digest enters the chain, so that they can be erased.
    public func particulars(_ values: inout HashedValues) {
        values.append(operation)
        values.append(reason)
        values.append(before)
        values.append(after)
    }

    /// The values that enter the chain directly.
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
