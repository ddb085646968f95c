import SQLite
import Shared

extension SQLiteStore {
    /// Takes in what programs beside this one have changed, until its task is cancelled. The server runs it.
    public func heedOthers() async {
        while !Task.isCancelled {
            // A store that cannot be read or written now is asked again.
            try? await takeNotices()
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Takes in the notices that are there.
    func takeNotices() async throws {
        guard try await read({ try $0.first("SELECT 1 FROM notices LIMIT 1") { $0.integer(0) } }) != nil else { return }
        try await write { transaction in
            let texts = try transaction.connection.all("SELECT notice FROM notices ORDER BY number") { $0.text(0) }
            for text in texts {
                switch Notice(text: text) {
                case .event(let event)?: transaction.post(event)
                case .altered(let subject)?: transaction.note(subject)
                // A notice of a kind that is not known here may concern anything.
                case nil: throw StoreError.incompatible("a notice that this version does not know: \(text)")
                }
            }
            try transaction.connection.run("DELETE FROM notices")
        }
    }

    /// Whether the server that runs beside this program has taken in its changes; waits for it a while. `true` where no
    /// server runs.
    public func isHeeded(within patience: Duration = .seconds(5)) async throws -> Bool {
        let end = ContinuousClock.now + patience
        while try await read({ try $0.first("SELECT 1 FROM notices LIMIT 1") { $0.integer(0) } }) != nil {
            guard ContinuousClock.now < end else { return false }
            try await Task.sleep(for: .milliseconds(50))
        }
        return true
    }
}

extension WriteTransaction {
    /// Leaves word of everything since `mark` for the server that runs beside this program.
    func leaveNotices(since mark: Mark) throws {
        guard !hasRecordEvents else { throw StoreError.unavailable("records are changed by the server alone") }
        for notice in notices(since: mark) {
            try connection.run("INSERT INTO notices (notice) VALUES (?)", .text(notice.text))
        }
    }
}
