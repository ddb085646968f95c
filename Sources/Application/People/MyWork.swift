import Classes
import Gradebook
import GradingKit
import Institutions
public import People
import Records
public import Shared

/// What a person works on, in one list: own records, programs that he or she manages, and classes that he or she teaches.
public struct MyWork: Sendable {
    /// Something that the caller works on.
    public struct Item: Sendable {
        /// What it is.
        public let subject: WorkRow.Subject
        /// Its title.
        public let title: String
        /// The program that a record or class belongs to; of a program, itself.
        public let program: ProgramID
        /// The institution.
        public let institution: InstitutionID
        /// The scheme; `nil` if the program is gone.
        public let scheme: String?
        /// How far it is: of a program `draft`, `published` or `changed`; of a class its state; `nil` for a record.
        public let state: String?
        /// The first figure and outcome of a record.
        public let headline: SharedView?
        /// When it last changed as far as the caller may know.
        public let changedAt: Timestamp
    }

    /// The greatest number of items.
    public static let most = 100

    private let store: any WorkStore
    private let records: RecordService
    private let classes: ClassService

    /// Creates the list.
    init(store: any WorkStore, records: RecordService, classes: ClassService) {
        self.store = store
        self.records = records
        self.classes = classes
    }

    /// Returns what the caller works on, the last change first; a service account works on nothing here.
    ///
    /// - Parameter limit: the greatest number of items, 1…``most``.
    public func items(limit: Int, _ context: AccountContext) async throws -> [Item] {
        let requester = try await records.access.requester(context.principal)
        guard requester.home == nil else { return [] }
        let registered = requester.memberships.filter { $0.role == .registrar }.map(\.institution)
        let rows = try await store.work(
            of: context.account, registrarOf: registered, teaching: requester.memberships.flatMap(\.programs),
            limit: min(max(limit, 1), Self.most))
        var items: [Item] = []
        for row in rows {
            let item =
                switch row.subject {
                case .record(let id): try await record(id, row, context)
                case .program(let id): try await program(id, row, context)
                case .taughtClass(let id): try await taughtClass(id, row, context)
                }
            if let item { items.append(item) }
        }
        return items
    }

    private func record(_ id: RecordID, _ row: WorkRow, _ context: AccountContext) async throws -> Item? {
        guard let snapshot = try await records.store.snapshot(of: id), snapshot.head.student == context.account,
            try await !records.readable([snapshot], by: context.account).isEmpty
        else { return nil }
        let program = try await records.institutions.programs.find(snapshot.head.program)
        let standing = try JSON.parse(snapshot.content(.released).standing)
        return Item(
            subject: row.subject, title: program?.title ?? "", program: snapshot.head.program,
            institution: snapshot.head.institution, scheme: program?.scheme, state: nil,
            headline: SharedView(of: standing, .headline), changedAt: row.changedAt)
    }

    private func program(_ id: ProgramID, _ row: WorkRow, _ context: AccountContext) async throws -> Item? {
        guard let program = try await records.institutions.programs.find(id),
            let institution = try await records.institutions.tenants.find(program.institution.text),
            case .allowed = authorize(
                try await records.access.requester(context.principal), .oversee,
                on: .program(program, in: institution))
        else { return nil }
        let state = program.newest == nil ? "draft" : program.draft == nil ? "published" : "changed"
        return Item(
            subject: row.subject, title: program.title, program: id, institution: institution.id,
            scheme: program.scheme, state: state, headline: nil, changedAt: row.changedAt)
    }

    private func taughtClass(_ id: ClassID, _ row: WorkRow, _ context: AccountContext) async throws -> Item? {
        guard let taught = try await classes.store.taughtClass(id),
            try await classes.mayRead(taught, context.principal)
        else { return nil }
        let program = try await records.institutions.programs.find(taught.head.program)
        return Item(
            subject: row.subject, title: taught.head.title, program: taught.head.program,
            institution: taught.head.institution, scheme: program?.scheme, state: taught.head.state.rawValue,
            headline: nil, changedAt: row.changedAt)
    }
}
