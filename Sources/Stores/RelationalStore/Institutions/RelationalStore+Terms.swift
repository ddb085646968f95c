import Database
public import Institutions
public import Shared

extension RelationalStore {
    /// Returns an institution's years, terms and periods.
    public func terms(of institution: InstitutionID) async throws -> [Term] {
        try await read { try $0.terms(of: institution) }
    }

    /// Changes an institution's years, terms and periods.
    public func changeTerms<Value: Sendable>(
        of institution: InstitutionID,
        _ plan: @escaping @Sendable ([Term], Set<TermID>) throws -> InstitutionPlan<Value>
    ) async throws -> Value {
        try await write { transaction in
            let connection = transaction.connection
            let terms = try connection.terms(of: institution)
            let used = try connection.all(
                """
                SELECT id FROM terms AS t WHERE institution = ?
                AND EXISTS (SELECT 1 FROM classes AS c WHERE c.term = t.id AND c.institution = t.institution)
                """,
                .text(institution.text)
            ) { TermID($0.text(0)) }
            return try transaction.apply(plan(terms, Set(used)))
        }
    }
}

extension Connection {
    fileprivate func terms(of institution: InstitutionID) throws -> [Term] {
        try all(
            "SELECT \(TermRow.columns) FROM terms WHERE institution = ? ORDER BY id", .text(institution.text)
        ) { TermRow.term($0) }
    }
}

extension WriteTransaction {
    func apply(_ change: TermRowChange) throws {
        let institution: InstitutionID
        switch change {
        case .put(let term):
            institution = term.institution
            try connection.run(
                """
                INSERT INTO terms (\(TermRow.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (institution, id) DO UPDATE SET title = excluded.title, first_day = excluded.first_day,
                last_day = excluded.last_day, locked = excluded.locked
                """,
                .text(term.institution.text), .text(term.id.text), .text(term.kind.rawValue),
                .text(term.parent?.text), .text(term.title), .integer(term.first.days), .integer(term.last.days),
                .boolean(term.isLocked))
        case .remove(let id, let home):
            institution = home
            try connection.run(
                "DELETE FROM terms WHERE institution = ? AND id = ?", .text(home.text), .text(id.text))
        }
        try connection.run(
            "UPDATE institutions SET calendar = calendar + 1 WHERE id = ?", .text(institution.text))
    }
}

/// The form of years, terms and periods in the tables.
enum TermRow {
    static let columns = "institution, id, kind, parent, title, first_day, last_day, locked"

    static func term(_ row: borrowing Row) -> Term {
        Term(
            id: TermID(row.text(1)), institution: InstitutionID(row.text(0)),
            kind: Term.Kind(rawValue: row.text(2)) ?? .period, parent: row.optionalText(3).map { TermID($0) },
            title: row.text(4), first: CalendarDay(days: row.integer(5)), last: CalendarDay(days: row.integer(6)),
            isLocked: row.boolean(7))
    }
}
