internal import CPostgreSQL

extension PostgreSQLConnection {
    /// How a transaction begins.
    public enum TransactionKind: Sendable {
        /// Each statement sees what was committed before it began.
        case readCommitted
        /// All statements see what was committed before the first; a write of a row that another transaction has
        /// changed since is a conflict.
        case repeatableRead
        /// The effect is as if transactions ran one after the other; what would differ is a conflict.
        case serializable
        /// All statements see what was committed before the first, and none may write.
        case snapshot

        var begin: String {
            switch self {
            case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"
            case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ READ WRITE"
            case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE"
            case .snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            }
        }
    }

    /// Whether a transaction is open and accepts further statements.
    ///
    /// A failed transaction accepts none: it must be rolled back, at least to a savepoint. The failure of a queued
    /// statement is not known before its answer has come.
    public var isInTransaction: Bool {
        switch transaction {
        case .promised, .open: true
        case .none, .failed: false
        }
    }

    /// Whether a statement failed, so that the transaction must be rolled back.
    public var hasFailedTransaction: Bool {
        if case .failed = transaction { true } else { false }
    }

    /// Runs `body` in a transaction. Commits when `body` returns, and rolls back if it or the commit throws.
    public func withTransaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        try begin(kind)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` under a savepoint inside the open transaction, and waits for its statements. If `body` or one of its
    /// statements throws, its changes are undone.
    ///
    /// If a statement that was queued before has failed, or the connection has ended, the transaction cannot continue;
    /// check ``isInTransaction``.
    public func withSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try refuseIfFailed()
        guard isInTransaction else { throw PostgreSQLError(.misuse, "a savepoint needs a transaction") }
        // Each depth has its own name. If the server skips an inner SAVEPOINT because of an earlier error, ROLLBACK TO
        // must not find the outer one.
        savepoints += 1
        defer { savepoints -= 1 }
        let name = "change\(savepoints)"
        try addControl("SAVEPOINT \(name)")
        do {
            let value = try body()
            try refuseIfFailed()
            try addControl("RELEASE \(name)")
            try settle()
            return value
        } catch {
            try recover(to: name)
            throw error
        }
    }

    /// Begins a transaction that ``commit()`` or ``rollBack()`` ends. BEGIN is sent with its first statement.
    public func begin(_ kind: TransactionKind) throws(PostgreSQLError) {
        try refuseIfFailed()
        if let lost = pipeline.lost { throw PostgreSQLError(afterEnd: lost) }
        guard case .none = transaction else { throw PostgreSQLError(.misuse, "a transaction is open already") }
        transaction = .promised(kind)
    }

    /// Sends what is queued and makes the open transaction durable, in one round trip.
    ///
    /// - Throws: also the error of a queued statement; the transaction must then be rolled back. If the connection ends
    ///   meanwhile, ``PostgreSQLError/isOutcomeUnknown`` may be set.
    public func commit() throws(PostgreSQLError) {
        switch transaction {
        case .none:
            if let lost = pipeline.lost { throw PostgreSQLError(afterEnd: lost) }
            throw PostgreSQLError(.misuse, "no transaction is open")
        case .promised:
            transaction = .none
        case .failed(let error):
            throw error
        case .open:
            try addControl("COMMIT", as: Pipeline.Role(isAwaited: true, commits: true))
            let answer = try awaitAnswer()
            // The server answers a COMMIT of a failed transaction with a rollback, without an error.
            guard answer.tag == "COMMIT" else {
                throw PostgreSQLError(.failedTransaction, "the server rolled the transaction back")
            }
        }
    }

    /// Abandons the transaction, if there is one. What is queued is abandoned with it.
    public func rollBack() {
        switch transaction {
        case .none: return
        case .promised: transaction = .none
        case .open, .failed:
            do {
                let isQueued = pipeline.hasWaiting
                // What is queued may fail, and the server then skips everything up to the mark.
                if isQueued { try pipeline.mark() }
                try addControl("ROLLBACK")
                try pipeline.mark()
                if isQueued { _ = try pipeline.collect() }
                let answers = try pipeline.collect()
                if let failure = answers.failure { pipeline.end(failure) }
            } catch {
                // The connection has ended, and its next statement says so.
            }
            noteState(after: nil)
        }
    }

    /// Undoes everything since a savepoint. If that fails, the transaction has failed.
    ///
    /// - Throws: the end of the connection.
    func recover(to savepoint: String) throws(PostgreSQLError) {
        if case .none = transaction { return }
        do throws(PostgreSQLError) {
            let isQueued = pipeline.hasWaiting
            if isQueued { try pipeline.mark() }
            try addControl("ROLLBACK TO \(savepoint)")
            try addControl("RELEASE \(savepoint)")
            try pipeline.mark()
            let earlier = isQueued ? try pipeline.collect().failure : nil
            let failure = try pipeline.collect().failure
            noteState(after: earlier ?? failure)
        } catch {
            noteState(after: error)
            throw error
        }
    }

    /// Throws if the server accepts only a rollback.
    func refuseIfFailed() throws(PostgreSQLError) {
        guard case .failed(let cause) = transaction else { return }
        throw PostgreSQLError(
            .failedTransaction, "the transaction has failed: \(cause.message)", statement: cause.statement)
    }

    /// Updates the state of the transaction from the server's last report, when nothing is under way.
    func noteState(after failure: PostgreSQLError?) {
        keepNotifications()
        guard pipeline.lost == nil else {
            transaction = .none
            return
        }
        switch wire.transactionStatus {
        case PQTRANS_IDLE: transaction = .none
        case PQTRANS_INTRANS: transaction = .open
        default:
            if case .failed = transaction { return }
            transaction = .failed(failure ?? PostgreSQLError(.failedTransaction, "the transaction has failed"))
        }
    }
}
