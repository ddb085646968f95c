import Classes
public import Gradebook
public import GradingKit
import Records
public import Shared

/// Answers requests about a record with results that are not stored: explanations, what-ifs, goals, and the names of
/// the people in it.
public struct RecordCalculations: Sendable {
    private let records: RecordService
    private let calculations: Calculations
    private let gradebook: any GradebookStore
    private let bookCache: ClassBookCache

    /// Calculates about the records of a service.
    public init(
        _ records: RecordService, _ calculations: Calculations, gradebook: any GradebookStore,
        bookCache: ClassBookCache = ClassBookCache()
    ) {
        self.records = records
        self.calculations = calculations
        self.gradebook = gradebook
        self.bookCache = bookCache
    }

    /// Returns the record with the rows of its classes and its standing, as a JSON document.
    public func document(of id: RecordID, for context: AccountContext) async throws -> [UInt8] {
        try await perform(.standing, about: id, for: context) { try $0.document() }
    }

    /// Returns the standing of a record with the requested explanations, as a JSON document, and the record's revision.
    public func explanation(
        of id: RecordID, _ selection: TraceSelection, for context: AccountContext
    ) async throws -> (document: [UInt8], revision: Revision) {
        let (permit, linked) = try await linked(id, for: context)
        let document = try await perform(.explanation, about: linked, permit, [], for: context) {
            try $0.explanation(selection)
        }
        return (document, linked.snapshot.revision(permit.view))
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
        try await perform(selection == .none ? .standing : .explanation, about: id, changes, for: context) {
            try $0.preview(RecordChange.list(from: read()), explaining: selection)
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
        try await perform(.goal, about: id, goal, for: context) { try $0.answer(to: Goal(read())) }
    }

    /// Returns the changes in the caller's view of a record, newest first: up to `limit` changes before a version. Changes
    /// made by classes list the changed results that the view shows.
    public func history(
        of id: RecordID, before version: Version?, limit: Int, for context: AccountContext
    ) async throws -> [DetailedHistoryItem] {
        let (permit, _) = try await records.snapshot(id, for: context)
        let items = try await records.store.history(of: id, view: permit.view, before: version, limit: limit)
        let titles = LineTitles(shape: permit.recordRules.rules.shape, language: context.language)
        return try await gradebook.detailed(items, of: id, view: permit.view, titles: titles)
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

    /// Computes something about a record with the rows of its classes, in turns with other calculations, and throws
    /// what the scheme refuses in its words.
    ///
    /// - Parameter text: what the request says, which counts among the cost.
    private func perform(
        _ question: CalculationCost.Question, about id: RecordID, _ text: [UInt8] = [], for context: AccountContext,
        _ bytes: @escaping @Sendable (AssembledRecord) throws -> [UInt8]
    ) async throws -> [UInt8] {
        let (permit, linked) = try await linked(id, for: context)
        return try await perform(question, about: linked, permit, text, for: context, bytes)
    }

    private func perform(
        _ question: CalculationCost.Question, about linked: LinkedRecord, _ permit: RecordPermit, _ text: [UInt8],
        for context: AccountContext, _ bytes: @escaping @Sendable (AssembledRecord) throws -> [UInt8]
    ) async throws -> [UInt8] {
        let (rules, view, bookCache) = (permit.recordRules, permit.view, bookCache)
        let cost = CalculationCost(
            of: question, about: linked.snapshot.content(view).tree, text,
            lines: linked.rows.values.reduce(0) { $0 + $1.snapshot.structure.lines.count }, by: rules.rules)
        return try await calculations.perform(cost, for: context.request, by: rules.rules) {
            try rules.wordingRefusals {
                try bytes(
                    try AssembledRecord(linked, view: view, under: rules) { taught in
                        try? bookCache.book(taught.structure, of: taught.head.id, under: rules)
                    })
            }
        }
    }

    /// Reads a record with the rows of its classes at one moment.
    private func linked(
        _ id: RecordID, for context: AccountContext
    ) async throws -> (permit: RecordPermit, linked: LinkedRecord) {
        let permit = try await records.permit(.read, id, for: context)
        guard let linked = try await gradebook.linked(id) else { throw UseCaseError.notFound }
        if linked.snapshot.head == permit.head { return (permit, linked) }
        return (try await records.permit(.read, id, for: context, bypassingCache: true), linked)
    }
}
