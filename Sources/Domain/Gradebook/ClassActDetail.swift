public import Classes

/// An act of a class that changed a record: its line of the ledger, with the class and the student's row as they are now.
public struct ClassActDetail: Sendable {
    /// The line of the ledger, about the row or about the class.
    public let line: LedgerLine
    /// The class.
    public let snapshot: ClassSnapshot
    /// The student's row.
    public let row: EnrolledRow

    /// Creates a detail.
    public init(_ line: LedgerLine, in snapshot: ClassSnapshot, row: EnrolledRow) {
        self.line = line
        self.snapshot = snapshot
        self.row = row
    }
}
