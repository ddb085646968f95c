import Classes
import Database
import Gradebook
import Shared

extension WriteTransaction {
    /// Lets go of what classes hold of an account, as part of deleting it: its rows are emptied and take no results, and
    /// what the ledger said of them is erased. Who acted when, and the chain, stay.
    ///
    /// - Parameter act: who deletes the account.
    func forgetClasses(of account: AccountID, by act: AuditContext) throws {
        let context = ActContext(
            account: act.account ?? account, source: act.source, at: act.at, access: AccessVersions())
        let sql = "SELECT c.id FROM enrolments AS e JOIN classes AS c ON c.number = e.class WHERE e.student = ?"
        let classes = try connection.all(sql, .text(account.text)) { ClassID($0.text(0)) }
        for id in Set(classes).sorted() {
            guard let found = try connection.classHead(id) else { continue }
            try forgetRows(of: account, in: found, by: context)
        }
        let taught = try connection.all(
            "SELECT c.number, c.id, c.version FROM class_staff AS s JOIN classes AS c ON c.number = s.class WHERE s.account = ?",
            .text(account.text)
        ) { (number: $0.integer(0), id: ClassID($0.text(1)), version: $0.integer(2) + 1) }
        for found in taught { try announceErasure(in: found.number, found.id, rows: [], version: found.version) }
        try connection.run("UPDATE enrolments SET student = NULL WHERE student = ?", .text(account.text))
        // What it wrote about others stays theirs.
        try connection.run("UPDATE class_comments SET account = NULL WHERE account = ?", .text(account.text))
        try connection.run("DELETE FROM class_staff WHERE account = ?", .text(account.text))
        for found in taught { try connection.index(.taughtClass(found.id)) }
    }

    private func forgetRows(of account: AccountID, in found: StoredClassHead, by context: ActContext) throws {
        let rows = try connection.enrolledRows(
            of: found.number, where: "AND e.student = ?", [.text(account.text)])
        try forget(Set(rows.map(\.row.enrolment.id)), inCorrectionsOf: found.number)
        for row in rows {
            try connection.run("DELETE FROM class_comments WHERE enrolment = ?", .integer(row.number))
        }
        var end = found.end
        for row in rows {
            let id = row.row.enrolment.id
            try eraseParticulars(from: row.change)
            let line = ActPlan.Line.erasure(of: id)
            let last = try append(
                [line], "erase", nil, of: found.head.id, found.number, version: found.version + 1, by: context,
                after: &end, rows: [id: row.change])
            try connection.run(
                "UPDATE enrolments SET withdrawn = 1, in_groups = NULL WHERE number = ?", .integer(row.number))
            try put(ClassRow(), of: found.number, row.number, version: found.version + 1, last[id] ?? row.change)
        }
        try finish(found.number, found.head, version: found.version + 1, structure: found.structure, end)
        try announceErasure(
            in: found.number, found.head.id, rows: rows.map(\.row.enrolment.id), version: found.version + 1)
    }

    /// Erases what a row's lines said.
    private func eraseParticulars(from last: Int) throws {
        let sql = "SELECT row_previous FROM class_changes WHERE seq = ?"
        var next: Int? = last > 0 ? last : nil
        while let seq = next {
            try connection.run(
                "UPDATE class_changes SET erased = 1, before = NULL, after = NULL, reason = NULL, seen = NULL WHERE seq = ?",
                .integer(seq))
            next = try connection.first(sql, .integer(seq)) { $0.optionalInteger(0) }.flatMap { $0 }
            // A line only ever names an earlier one.
            if let found = next, found >= seq { next = nil }
        }
    }
}
