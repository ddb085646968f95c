import Classes
import Database
import Gradebook
import GradingKit
import Shared

extension WriteTransaction {
    /// Notes what an act that was just written made of the class, and tells those who follow it after the commit.
    func announce(_ plan: ActPlan, in found: StoredClassHead) throws {
        let (id, version) = (found.head.id, found.version + 1)
        let isRestated = plan.restatesClass
        if plan.structure != nil {
            try connection.run("UPDATE classes SET structured = version WHERE number = ?", .integer(found.number))
        }
        if isRestated {
            try connection.run("UPDATE classes SET restated = version WHERE number = ?", .integer(found.number))
        }
        // What all rows rest on concerns each of them.
        let changesAll = plan.structure != nil || plan.head != nil
        let rows = changesAll ? try rowsOfClass(found.number) : plan.rows.map(\.enrolment.id)
        post(.classChanged(ClassNews(id, version: version, rows: rows, isRestated: isRestated)))
        let hasLostGroup = plan.groups.map { $0.count < found.groups.count } ?? false
        if plan.staff != nil || plan.head != nil || hasLostGroup {
            post(.classAudienceChanged(id, rows: plan.head != nil ? rows : []))
        }
    }

    /// Tells the staff and the students of a closed class that it is opened again: results that were settled may change.
    func tellOfReopening(of found: StoredClassHead, by context: ActContext) throws {
        let students = try connection.all(
            "SELECT student FROM enrolments WHERE class = ? AND withdrawn = 0 AND student IS NOT NULL",
            .integer(found.number)
        ) { AccountID($0.text(0)) }
        let act = AuditContext(by: context.account, from: context.source, at: context.at)
        let detail: JSON = ["class": .string(found.head.id.text), "program": .string(found.head.program.text)]
        for person in Set(found.staff.map(\.account) + students).sorted() {
            try audit(act.entry("class.reopened", of: person.text, in: found.head.institution, detail: detail.bytes))
        }
    }

    /// Tells the followers of a class that an account is gone from it, and raises the class's version if no act did.
    ///
    /// - Parameters:
    ///   - rows: the account's rows, which an act has emptied.
    ///   - version: the version of the class with that.
    func announceErasure(in number: Int, _ id: ClassID, rows: [EnrolmentID], version: Version) throws {
        try connection.run(
            "UPDATE classes SET version = ?1, restated = ?1 WHERE number = ?2", .integer(version), .integer(number))
        post(.classChanged(ClassNews(id, version: version, rows: rows)))
    }

    private func rowsOfClass(_ number: Int) throws -> [EnrolmentID] {
        try connection.all("SELECT id FROM enrolments WHERE class = ?", .integer(number)) { EnrolmentID($0.text(0)) }
    }
}

extension ActPlan {
    /// Whether the act changes more than rows: results, comments and moves to another version change only rows.
    fileprivate var restatesClass: Bool {
        return !["cells", LedgerLine.moved].contains(operation) && comment == nil && sealed == nil || structure != nil
            || head != nil
            || staff != nil
            || rows.contains { $0.version == 0 || $0.enrolment.isWithdrawn }
    }
}
