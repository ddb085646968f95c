import PostgreSQL
import PostgreSQLTestKit
import Testing

@Suite struct `A transaction` {
    struct Refusal: Error {}

    let connection: PostgreSQLConnection

    init() throws {
        connection = try TestDatabase().connect()
        try connection.execute("CREATE TABLE t (n BIGINT NOT NULL UNIQUE)")
    }

    private func insert(_ number: Int) throws { try connection.run("INSERT INTO t VALUES (?)", .integer(number)) }

    private func failure(of body: () throws -> Void) -> (any Error)? {
        do {
            try body()
            return nil
        } catch {
            return error
        }
    }

    private var numbers: [Int] {
        get throws { try connection.all("SELECT n FROM t ORDER BY n") { $0.integer(0) } }
    }

    @Test func `that returns is kept`() throws {
        #expect(
            try connection.withTransaction(.readCommitted) {
                try insert(1)
                return "done"
            } == "done")
        #expect(try numbers == [1])
        #expect(!connection.isInTransaction)
    }

    @Test func `that throws leaves nothing`() throws {
        #expect(throws: Refusal.self) {
            try connection.withTransaction(.readCommitted) {
                try insert(1)
                throw Refusal()
            }
        }
        #expect(try numbers == [])
        #expect(!connection.isInTransaction)
    }

    @Test func `in which nothing was done costs nothing`() throws {
        try connection.withTransaction(.readCommitted) { #expect(connection.isInTransaction) }
        #expect(throws: Refusal.self) { try connection.withTransaction(.readCommitted) { throw Refusal() } }
        #expect(!connection.isInTransaction)
        connection.rollBack()
        let error = #expect(throws: PostgreSQLError.self) { try connection.commit() }
        #expect(error?.kind == .misuse)
    }

    @Test func `goes on after a savepoint in it threw`() throws {
        try connection.withTransaction(.readCommitted) {
            try insert(1)
            #expect(throws: Refusal.self) {
                try connection.withSavepoint {
                    try insert(2)
                    try connection.withSavepoint { try insert(3) }
                    throw Refusal()
                }
            }
            try connection.withSavepoint { try insert(4) }
        }
        #expect(try numbers == [1, 4])
    }

    @Test func `goes on after a statement under a savepoint failed, queued or awaited`() throws {
        try connection.withTransaction(.readCommitted) {
            try insert(1)
            let queued = #expect(throws: PostgreSQLError.self) {
                try connection.withSavepoint {
                    try insert(2)
                    try insert(1)
                }
            }
            #expect(queued?.isDuplicate == true)
            #expect(connection.isInTransaction)
            let awaited = #expect(throws: PostgreSQLError.self) {
                try connection.withSavepoint {
                    try insert(3)
                    _ = try connection.number("SELECT 1 / 0")
                }
            }
            #expect(awaited?.state == "22012")
            #expect(connection.isInTransaction)
            try connection.withSavepoint {
                try insert(4)
                #expect(throws: PostgreSQLError.self) { try connection.withSavepoint { try insert(4) } }
                try insert(5)
            }
        }
        #expect(try numbers == [1, 4, 5])
    }

    @Test func `fails when a savepoint meets an error from before it, also inside another`() throws {
        try connection.begin(.readCommitted)
        try insert(1)
        try insert(1)
        let error = #expect(throws: PostgreSQLError.self) { try connection.withSavepoint { try insert(2) } }
        #expect(error?.wasQueued == true)
        #expect(connection.hasFailedTransaction)
        connection.rollBack()

        try connection.withTransaction(.readCommitted) {
            try insert(1)
            let outer = failure {
                try connection.withSavepoint {
                    try insert(2)
                    try insert(2)
                    // The inner savepoint is never made, and the outer one must not be undone in its place.
                    let inner = failure {
                        try connection.withSavepoint {
                            try insert(3)
                            throw Refusal()
                        }
                    }
                    #expect(inner is Refusal)
                    #expect(connection.hasFailedTransaction)
                    try insert(4)
                }
            }
            #expect((outer as? PostgreSQLError)?.kind == .failedTransaction)
            #expect(connection.isInTransaction)
            try insert(5)
        }
        #expect(try numbers == [1, 5])
    }

    @Test func `cannot be opened twice, and has savepoints only while it is open`() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(.readCommitted) { try connection.withTransaction(.readCommitted) {} }
        }
        #expect(error?.kind == .misuse)
        #expect(!connection.isInTransaction)
        #expect(throws: PostgreSQLError.self) { try connection.withSavepoint {} }
    }

    @Test func `whose constraint is checked at the commit is refused and over`() throws {
        try connection.execute("CREATE TABLE d (n BIGINT UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(.readCommitted) {
                for _ in 0..<2 { try connection.run("INSERT INTO d VALUES (1)") }
                #expect(try connection.changes == 1)
            }
        }
        #expect(error?.isDuplicate == true)
        #expect(error?.statement == "COMMIT")
        #expect(error?.isOutcomeUnknown == false)
        #expect(try connection.number("SELECT count(*) FROM d") == 0)
    }

    @Test(arguments: [
        (PostgreSQLConnection.TransactionKind.readCommitted, "read committed off"),
        (.repeatableRead, "repeatable read off"), (.serializable, "serializable off"),
        (.snapshot, "repeatable read on"),
    ])
    func `has its isolation`(kind: PostgreSQLConnection.TransactionKind, expected: String) throws {
        try connection.withTransaction(kind) {
            let found = try connection.first(
                "SELECT current_setting('transaction_isolation') || ' ' || current_setting('transaction_read_only')"
            ) { $0.text(0) }
            #expect(found == expected)
        }
    }

    @Test func `that only reads writes nothing`() throws {
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.withTransaction(.snapshot) { try insert(1) }
        }
        #expect(error?.kind == .readOnly)
    }

    @Test func `has an identifier once it has written, and a status afterwards`() throws {
        try connection.begin(.readCommitted)
        #expect(try connection.transactionID == nil)
        try insert(1)
        let kept = try #require(try connection.transactionID)
        try connection.commit()
        #expect(try connection.status(of: kept) == .committed)

        try connection.begin(.readCommitted)
        let dropped = try connection.assignTransactionID()
        #expect(try connection.transactionID == dropped)
        #expect(throws: PostgreSQLError.self) { try connection.status(of: dropped) }
        let other = try TestDatabase().connect()
        #expect(try other.status(of: dropped) == .inProgress)
        connection.rollBack()
        #expect(try connection.status(of: dropped) == .aborted)
        #expect(try connection.status(of: TransactionID(rawValue: dropped.rawValue + 1_000_000)) == .aborted)
        #expect(try connection.transactionID == nil)
    }
}
