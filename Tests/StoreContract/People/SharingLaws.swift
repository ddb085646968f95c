import Accounts
import DataStore
import GradingKit
import Institutions
import People
import Records
import Shared

extension StoreUnderTest {
    /// A school with a student and a record, which the student shares so.
    fileprivate func share(_ record: String, _ sharing: RecordSharing) async throws {
        let act = Sample.act(by: "student")
        _ = try await data.people.changeSharing(of: RecordID(record)) {
            try PeoplePlans.sharing(sharing, found: $0, by: act)
        }
    }

    fileprivate func makeSchool(records: [String]) async throws {
        try await makeInstitution()
        try await make("student")
        for id in records { try await store.create(id) }
    }

    fileprivate func setSharing(_ policy: SharingPolicy) async throws {
        _ = try await data.institutions.amend(InstitutionID("school")) { before in
            var after = before
            after.sharing = policy
            return InstitutionChange(
                institution: after, audit: Sample.entry("institution.changed", of: "school", in: "school"))
        }
    }
}

extension StoreLaw {
    static let sharing: [StoreLaw] = [
        StoreLaw("a record is shared as its student chose last, and told of at each choice") { place in
            let people = place.data.people
            try await place.makeSchool(records: ["a", "b"])
            try expect(try await people.shared(RecordID("a")), is: nil, "before any choice")
            let told = place.told.count
            let both = RecordSharing(what: .standing, with: [.members, .everyone])
            try await place.share("a", RecordSharing(what: .headline, with: [.members]))
            try await place.share("a", both)
            try await place.share("a", both)
            let shared = SharedRecord(
                record: RecordID("a"), institution: InstitutionID("school"), owner: Sample.student, sharing: both,
                since: Sample.now)
            try expect(try await people.shared(RecordID("a")), is: shared, "the record")
            try expect(
                try await people.shared([RecordID("b"), RecordID("a"), RecordID("gone")]), is: [shared],
                "those asked for")
            try expect(try await people.shared(by: Sample.student), is: [shared], "the student's")
            try expect(try await people.shared(by: AccountID("x")), is: [], "another account's")
            let event = StoreEvent.sharingChanged(RecordID("a"))
            try expect(place.told(after: told), is: [event, event], "what was told")
            try await place.share("a", RecordSharing())
            try expect(try await people.shared(RecordID("a")), is: nil, "after it ended")
            try expect(place.told.last, is: event, "what was told last")
            let lines = try await place.data.accounts.auditItems(AuditQuery(subject: "student"))
            try expect(lines.filter { $0.entry.action == "sharing.changed" }.count, is: 3, "the lines of the trail")
        },
        StoreLaw("what is not there, or is another student's, cannot be shared") { place in
            try await place.makeSchool(records: ["a"])
            try await place.make("other")
            for (record, account) in [("gone", "student"), ("a", "other")] {
                try await expect(.notFound, "\(record) by \(account)") {
                    try await place.data.people.changeSharing(of: RecordID(record)) { rows in
                        let sharing = RecordSharing(with: [.everyone])
                        return try PeoplePlans.sharing(sharing, found: rows, by: Sample.act(by: account))
                    }
                }
            }
            try expect(try await place.data.people.shared(RecordID("a")), is: nil, "the record")
        },
        StoreLaw("an institution that forbids sharing ends it, and permission later brings nothing back") { place in
            try await place.makeSchool(records: ["a", "b", "c"])
            for id in ["a", "b"] { try await place.share(id, RecordSharing(with: [.everyone])) }
            let told = place.told.count
            try await place.setSharing(.none)
            try expect(
                Set(place.told(after: told)),
                is: [.sharingChanged(RecordID("a")), .sharingChanged(RecordID("b"))], "what was told")
            do {
                try await place.share("c", RecordSharing(with: [.everyone]))
                throw Violation(description: "a record was shared all the same")
            } catch let faults as FaultList {
                try expect(faults.faults.map(\.code), is: [.sharingForbidden], "the fault")
            }
            try await place.setSharing(.allowed)
            try expect(try await place.data.people.shared(by: Sample.student), is: [], "what is shared")
        },
        StoreLaw("what is shared goes with its record and with its student, and each record is announced") { place in
            try await place.makeSchool(records: ["a", "b", "graded"])
            for id in ["a", "b", "graded"] { try await place.share(id, RecordSharing(with: [.members])) }
            try await place.store.delete(RecordID("a"), by: place.store.context())
            try expect(
                try await place.data.people.shared(by: Sample.student).map(\.record.text), is: ["b", "graded"],
                "what is left")
            try await place.store.put("b", in: "graded", by: Sample.teacher)
            let told = place.told.count
            try await place.data.accounts.delete(Sample.student) { _ in Sample.entry("account.deleted", of: "student") }
            try expect(try await place.data.people.shared(RecordID("graded")), is: nil, "the record that stays")
            for id in ["b", "graded"] {
                try expect(place.told(after: told).contains(.sharingChanged(RecordID(id))), "\(id) was told")
            }
        },
        StoreLaw("a change of what a student may do announces each record that the student shares") { place in
            try await place.makeSchool(records: ["a"])
            try await place.share("a", RecordSharing(with: [.members]))
            let told = place.told.count
            try await place.set(Sample.membership(of: "student", in: "school", as: .student), of: "student")
            try expect(
                place.told(after: told), is: [.accessChanged(Sample.student), .sharingChanged(RecordID("a"))],
                "what was told")
        },
    ]
}
