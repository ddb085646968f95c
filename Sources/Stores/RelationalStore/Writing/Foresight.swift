import Database
import Records
import Shared

/// What a group of changes rests on, read at once when the group begins.
///
/// It saves each change its own questions, of which each is a round trip to the server. It holds only until a change of
/// another kind writes something.
struct Foresight {
    /// Where an answer is stored.
    struct Place: Hashable {
        let account: AccountID
        let key: String
    }

    /// Records as they are stored. One that is not here must be asked for.
    private(set) var records: [RecordID: RecordRow] = [:]
    /// The answers under keys; `nil` if there is none.
    private(set) var answers: [Place: AnswerRow?] = [:]
    /// Access versions as they are stored.
    private(set) var access: [AccessSubject: Int] = [:]
    /// Numbers for the next changes of records, the lowest last.
    private var numbers: [Int] = []

    /// Forgets what was read. The numbers still belong to this group.
    mutating func forget() {
        records.removeAll(keepingCapacity: true)
        answers.removeAll(keepingCapacity: true)
        access.removeAll(keepingCapacity: true)
    }

    /// Forgets the answer under a key, which is about to be replaced.
    mutating func forget(answerOf place: Place) { answers.removeValue(forKey: place) }

    /// Takes the lowest number that was reserved for a change.
    mutating func takeNumber() -> Int? { numbers.popLast() }
}

// MARK: - Reading

extension Foresight {
    /// Reads what changes rest on, in one statement of PostgreSQL. Call it when the changes' transaction holds its locks.
    init(_ grounds: [WriteGround], epoch: Epoch, on connection: Connection) throws {
        guard !grounds.isEmpty else { return }
        var asked = (records: Set<RecordID>(), accounts: Set<AccountID>())
        // What was asked for before is not read again.
        let records = grounds.map { asked.records.insert($0.record).inserted ? $0.record.text : "" }
        let accounts = grounds.map { asked.accounts.insert($0.account).inserted ? $0.account.text : "" }
        let rows = try connection.all(
            Self.query, .text(Self.list(records)), .text(Self.list(accounts)),
            .text(Self.list(grounds.map { $0.key == nil ? "" : $0.account.text })),
            .text(Self.list(grounds.map { $0.key ?? "" }))
        ) { Found($0, epoch: epoch) }
        for account in asked.accounts { access[.account(account)] = 0 }
        for ground in grounds {
            if let key = ground.key { answers.updateValue(nil, forKey: Place(account: ground.account, key: key)) }
        }
        for row in rows { note(row) }
        numbers.sort(by: >)
    }

    private mutating func note(_ row: Found) {
        numbers.append(row.number)
        if let (account, version) = row.account { access[.account(account)] = version }
        if let (place, answer) = row.answer { answers[place] = answer }
        guard let record = row.record else { return }
        let head = record.snapshot.head
        records[head.id] = record
        access[.institution(head.institution)] = row.institution
        access[.program(head.program)] = row.program
    }

    /// One row of the query.
    private struct Found {
        let number: Int
        var account: (AccountID, Int)?
        let institution: Int
        let program: Int
        var answer: (Place, AnswerRow)?
        var record: RecordRow?

        init(_ row: borrowing Row, epoch: Epoch) {
            number = row.integer(0)
            institution = row.integer(1)
            program = row.integer(2)
            if let id = row.optionalText(3) { account = (AccountID(id), row.integer(4)) }
            if let id = row.optionalText(5) {
                answer = (Place(account: AccountID(id), key: row.text(6)), AnswerRow(row, firstColumn: 7))
            }
            if !row.isNull(Self.record + 1) { record = RecordRow(row, epoch: epoch, firstColumn: Self.record) }
        }

        private static let record: Int32 = 13
    }

    private static func list(_ words: [String]) -> String { words.joined(separator: " ") }

    /// An empty word of a list is NULL, which equals nothing.
    private static let query = """
        SELECT nextval((SELECT pg_get_serial_sequence('changes', 'seq')::regclass)),
            coalesce(school.version, 0), coalesce(course.version, 0), who.id, who.version,
            kept.account, kept.key, kept.digest, kept.at, kept.kind, kept.body, kept.facts, kept.revision,
            \(RecordRow.columns.split(separator: ",").map { "stored." + $0.drop { $0 == " " } }.joined(separator: ", "))
        FROM unnest(string_to_array(?, ' ', ''), string_to_array(?, ' ', ''), string_to_array(?, ' ', ''),
            string_to_array(?, ' ', '')) AS asked (record, account, keeper, key)
        LEFT JOIN records AS stored ON stored.id = asked.record
        LEFT JOIN access_versions AS who ON who.kind = 'account' AND who.id = asked.account
        LEFT JOIN access_versions AS school ON school.kind = 'institution' AND school.id = stored.institution
        LEFT JOIN access_versions AS course ON course.kind = 'program' AND course.id = stored.program
        LEFT JOIN idempotency AS kept ON kept.account = asked.keeper AND kept.key = asked.key
        """
}
