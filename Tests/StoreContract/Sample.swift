import Records
import Shared

/// Things to store, and short ways of storing them.
enum Sample {
    static let student = AccountID("student")
    static let teacher = AccountID("teacher")
    /// On what the teacher's permission for a record rests.
    static let grounds: [AccessSubject] = [
        .account(teacher), .institution(InstitutionID("school")), .program(ProgramID("program")),
    ]
    static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    static func head(_ id: String, program: String = "program", student: AccountID? = Sample.student) -> RecordHead {
        RecordHead(
            id: RecordID(id), institution: InstitutionID("school"), program: ProgramID(program), programVersion: 1,
            student: student, createdAt: now)
    }

    static func content(_ text: String) -> RecordContent {
        RecordContent(tree: Array(#"{"entries":"\#(text)"}"#.utf8), standing: Array(#"{"gpa":"\#(text)"}"#.utf8))
    }

    static func description(_ operation: String, reason: String? = nil) -> ChangeDescription {
        ChangeDescription(
            operation: operation, entry: "e1", before: Array("1".utf8), after: Array("2".utf8),
            figures: Array(#"{"gpa":"4"}"#.utf8), reason: reason)
    }

    /// The record's whole content is `text`; the student sees `released`, or the same.
    static func amendment(
        _ text: String, released: String? = nil, operation: String = "patch", releasedOperation: String? = nil
    ) -> Amendment {
        Amendment(
            programVersion: 1, full: content(text), released: released.map { content($0) },
            change: description(operation, reason: text),
            releasedChange: releasedOperation.map { description($0) }
        ) { revision in
            StoredAnswer(.changed, body: Array("\(revision) \(text)".utf8))
        }
    }
}

extension RecordStore {
    /// The access versions under which an account has a permission for the records of the sample's program.
    func access(
        of account: AccountID = Sample.student, student: AccountID? = nil, in program: String = "program"
    ) async throws -> AccessVersions {
        let (school, program) = (InstitutionID("school"), ProgramID(program))
        var versions = try await accessVersions(of: account, in: school, program)
        if let student {
            versions.student = try await accessVersions(of: student, in: school, program).account
        }
        return versions
    }

    /// Who writes, under the access versions of things that have not changed since they were made, or of those given.
    func context(
        by account: AccountID = Sample.student, view: RecordView = .full, expected: Revision? = nil,
        key: IdempotencyKey? = nil, at: Timestamp = Sample.now, access: AccessVersions = AccessVersions()
    ) -> WriteContext {
        WriteContext(
            account: account, source: "127.0.0.1", at: at, view: view, expected: expected, idempotency: key,
            access: access)
    }

    @discardableResult
    func create(_ id: String, _ text: String = "0", student: AccountID? = Sample.student) async throws -> WriteOutcome {
        try await create(
            Sample.head(id, student: student), as: Sample.amendment(text, operation: "create"),
            by: context(access: access(student: student)))
    }

    @discardableResult
    func put(
        _ text: String, released: String? = nil, in id: String, view: RecordView = .full, expected: Revision? = nil,
        key: IdempotencyKey? = nil, by account: AccountID = Sample.student, at: Timestamp = Sample.now
    ) async throws -> WriteOutcome {
        let access = try await access(of: account)
        let context = context(by: account, view: view, expected: expected, key: key, at: at, access: access)
        return try await amend(RecordID(id), by: context) { _ in Sample.amendment(text, released: released) }
    }

    /// Replaces the record's content, and keeps an answer under a key.
    func kept(
        _ answer: String, facts: [UInt8]?, in id: String, key: IdempotencyKey, by account: AccountID = Sample.student,
        at: Timestamp = Sample.now
    ) async throws -> WriteOutcome {
        let context = context(by: account, key: key, at: at, access: try await access(of: account))
        return try await amend(RecordID(id), by: context) { snapshot in
            Amendment(
                programVersion: 1, full: snapshot.full, released: snapshot.released,
                change: Sample.description("patch"), releasedChange: nil
            ) { _ in StoredAnswer(.changed, body: Array(answer.utf8), facts: facts) }
        }
    }

    /// Adds one to the number that is the record's content.
    @discardableResult
    func count(in id: String, key: IdempotencyKey? = nil) async throws -> WriteOutcome {
        try await amend(RecordID(id), by: context(key: key, access: access())) { snapshot in
            let text = String(decoding: snapshot.full.tree, as: UTF8.self)
            return Sample.amendment(String((Int(text.filter(\.isNumber)) ?? 0) + 1))
        }
    }

    func found(_ id: String) async throws -> RecordSnapshot {
        guard let snapshot = try await snapshot(of: RecordID(id)) else {
            throw Violation(description: "record \(id) is not there")
        }
        return snapshot
    }
}
