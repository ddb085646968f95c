import Classes
public import Gradebook
public import GradingKit
public import Records
public import Shared

/// Answers requests about a record with results that are not stored: explanations, what-ifs, goals, and the names of
/// the people in it.
public struct RecordCalculations: Sendable {
    private let records: RecordService
    private let calculations: Calculations
    private let gradebook: any GradebookStore
    private let shelf: ClassBookShelf

    /// Calculates about the records of a service.
    public init(
        _ records: RecordService, _ calculations: Calculations, gradebook: any GradebookStore,
        shelf: ClassBookShelf = ClassBookShelf()
    ) {
        self.records = records
        self.calculations = calculations
        self.gradebook = gradebook
        self.shelf = shelf
    }

    /// Returns the class rows that linked entries of a record stand for; what-ifs, goals and explanations include them.
    private func parts(of snapshot: RecordSnapshot, _ permit: RecordPermit) async throws -> ClassParts {
        guard snapshot.holdsLinks else { return ClassParts() }
        var parts: [EntryID: RecordTree] = [:]
        for (entry, link) in try permit.recordRules.links(in: snapshot) {
            let id = ClassID(link.classID)
            // The row of who left is no longer judged, nor is one whose structure these rules refuse: the entry that stands
            // for it says what it was given.
            guard let taught = try await gradebook.taughtClass(id),
                let row = try await gradebook.row(EnrolmentID(link.enrolment), of: id), !row.enrolment.isWithdrawn,
                let book = try? shelf.book(taught.structure, of: id, under: permit.recordRules)
            else { continue }
            parts[entry] = book.part(of: row)
        }
        return ClassParts(parts)
    }

    /// Returns the standing of a snapshot with the requested explanations, as a JSON document.
    public func explanation(
        of snapshot: RecordSnapshot, _ permit: RecordPermit, _ selection: TraceSelection, for context: AccountContext
    ) async throws -> [UInt8] {
        let cost = CalculationCost(
            of: .explanation, about: snapshot.content(permit.view).tree, by: permit.recordRules.rules)
        let parts = try await parts(of: snapshot, permit)
        return try await perform(cost, permit.recordRules, for: context) {
            try permit.recordRules.explanation(of: snapshot, view: permit.view, selection, assembling: parts)
        }
    }

    /// Returns the standing that the record would have after some changes, as a JSON document.
    ///
    /// - Parameters:
    ///   - changes: the text of the changes, from which the cost is estimated.
    ///   - read: parses the text, in the caller's turn.
    public func whatIf(
        _ id: RecordID, _ changes: [UInt8], explaining selection: TraceSelection, for context: AccountContext,
        reading read: @escaping @Sendable () throws -> JSON
    ) async throws -> [UInt8] {
        let (permit, snapshot) = try await records.snapshot(id, for: context)
        let cost = CalculationCost(
            of: selection == .none ? .standing : .explanation, about: snapshot.content(permit.view).tree, changes,
            by: permit.recordRules.rules)
        let parts = try await parts(of: snapshot, permit)
        return try await perform(cost, permit.recordRules, for: context) {
            try permit.recordRules.preview(
                of: snapshot, by: RecordChange.list(from: read()), view: permit.view, explaining: selection,
                assembling: parts)
        }
    }

    /// Returns what the open grades must be to reach a goal, as a JSON document.
    ///
    /// - Parameters:
    ///   - goal: the text of the goal, from which the cost is estimated.
    ///   - read: parses the text, in the caller's turn.
    public func answer(
        to goal: [UInt8], about id: RecordID, for context: AccountContext,
        reading read: @escaping @Sendable () throws -> JSON
    ) async throws -> [UInt8] {
        let (permit, snapshot) = try await records.snapshot(id, for: context)
        let cost = CalculationCost(
            of: .goal, about: snapshot.content(permit.view).tree, goal,
            by: permit.recordRules.rules)
        let parts = try await parts(of: snapshot, permit)
        return try await perform(cost, permit.recordRules, for: context) {
            try permit.recordRules.answer(to: Goal(read()), about: snapshot, view: permit.view, assembling: parts)
        }
    }

    /// Returns the display names of a record's student and of the staff who entered something in it, as a JSON
    /// document.
    ///
    /// Every request looks them up again, because names change and accounts are deleted, whereas the record's document
    /// has the same bytes for every reader of a version.
    public func people(in id: RecordID, for context: AccountContext) async throws -> [UInt8] {
        let (permit, snapshot) = try await records.snapshot(id, for: context)
        let student = permit.head.student
        let (recordRules, view) = (permit.recordRules, permit.view)
        let cost = CalculationCost(of: .reading, about: snapshot.content(view).tree)
        let authors = try await calculations.perform(cost, for: context.request, by: recordRules.rules) {
            try recordRules.visibleTree(of: snapshot, view: view).authors
        }
        let staff = authors.sorted().map { AccountID($0) }
        let names = try await records.names(of: staff + [student])
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("student") { writer in
                guard let student else { return writer.null() }
                Self.write(student, names[student], to: &writer)
            }
            writer.member("staff") { writer in
                writer.array { for account in staff { Self.write(account, names[account], to: &$0) } }
            }
        }
        return writer.bytes
    }

    private static func write(_ account: AccountID, _ name: String?, to writer: inout JSONWriter) {
        writer.object {
            $0.member("id", account.text)
            $0.member("displayName", name)
        }
    }

    /// Runs a computation by the record's scheme, and throws its refusals in the scheme's words.
    private func perform(
        _ cost: CalculationCost, _ recordRules: RecordRules, for context: AccountContext,
        _ bytes: @escaping @Sendable () throws -> [UInt8]
    ) async throws -> [UInt8] {
        try await calculations.perform(cost, for: context.request, by: recordRules.rules) {
            try recordRules.wordingRefusals(bytes)
        }
    }
}
