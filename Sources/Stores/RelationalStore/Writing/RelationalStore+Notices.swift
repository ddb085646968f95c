import Database
import Shared

extension RelationalStore {
    /// Processes the changes of programs beside this one until its task is cancelled. Run by the server over a file.
    package func takeNoticesUntilCancelled() async {
        while !Task.isCancelled {
            // If the store cannot be read or written now, the next round tries again.
            try? await takeNotices()
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Processes the waiting notices.
    package func takeNotices() async throws {
        guard try await read({ try $0.first("SELECT 1 FROM notices LIMIT 1") { $0.integer(0) } }) != nil else { return }
        try await write { transaction in
            let texts = try transaction.connection.all("SELECT notice FROM notices ORDER BY number") { $0.text(0) }
            for text in texts {
                switch Notice(text: text) {
                case .event(let event)?: transaction.post(event)
                case .altered(let subject)?: transaction.note(subject)
                // A notice of an unknown kind may concern anything.
                case nil: throw StoreError.incompatible("a notice that this version does not know: \(text)")
                }
            }
            try transaction.connection.run("DELETE FROM notices")
        }
    }

    /// Returns whether the running server has processed this program's notices; waits for that up to `time`. `true`
    /// if no server is running.
    package func areNoticesTaken(within time: Duration) async throws -> Bool {
        try await holds(within: time) { [self] in
            try await read { try $0.first("SELECT 1 FROM notices LIMIT 1") { $0.integer(0) } } == nil
        }
    }

    /// Returns whether a condition holds, and waits for that up to `time`.
    package func holds(within time: Duration, _ condition: () async throws -> Bool) async throws -> Bool {
        let end = ContinuousClock.now + time
        while try await !condition() {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(50))
        }
        return true
    }
}

extension WriteTransaction {
    /// Stores notices of all changes since `mark` for the running server.
    package func leaveNotices(since mark: Mark) throws {
        try refuseRecords()
        for notice in notices(since: mark) {
            try connection.run("INSERT INTO notices (notice) VALUES (?)", .text(notice.text))
        }
    }

    /// Refuses changes of records, which a program beside a server does not make.
    package func refuseRecords() throws {
        guard !hasRecordEvents else { throw StoreError.unavailable("records are changed by the server alone") }
    }
}
