extension SQLiteConnection {
    /// How a transaction begins.
    public enum TransactionKind: Sendable {
        /// A read snapshot from the first statement on; the first write acquires the lock.
        case deferred
        /// The write lock from the start.
        case immediate

        var begin: String {
            switch self {
            case .deferred: "BEGIN DEFERRED"
            case .immediate: "BEGIN IMMEDIATE"
            }
        }
    }

    /// Runs `body` in a transaction. Commits when `body` returns, and rolls back if it or the commit throws.
    public func withTransaction<Value>(_ kind: TransactionKind, _ body: () throws -> Value) throws -> Value {
        try run(kind.begin)
        do {
            let value = try body()
            try run("COMMIT")
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// Runs `body` under a savepoint inside the open transaction. If `body` throws, its changes are undone.
    ///
    /// Some errors (a full disk) end the whole transaction; check ``isInTransaction``.
    public func withSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try run("SAVEPOINT change")
        do {
            let value = try body()
            try run("RELEASE change")
            return value
        } catch {
            if isInTransaction {
                try run("ROLLBACK TO change")
                try run("RELEASE change")
            }
            throw error
        }
    }

    /// Begins a transaction that ``commit()`` or ``rollBack()`` ends.
    public func begin(_ kind: TransactionKind) throws(SQLiteError) { try run(kind.begin) }

    /// Makes the open transaction durable.
    public func commit() throws(SQLiteError) { try run("COMMIT") }

    /// Abandons the open transaction, if there is one.
    public func rollBack() {
        guard isInTransaction else { return }
        // A rollback fails only if the file itself does; the connection's next statement reports that.
        try? run("ROLLBACK")
    }
}
