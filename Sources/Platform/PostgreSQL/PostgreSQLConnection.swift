@_exported public import SQL

/// One connection to a server, with a cache of prepared statements.
///
/// A connection is not `Sendable`: one thread uses it at a time. Every wait has a limit, so no call hangs on a server
/// that does not answer.
///
/// Outside a transaction each statement is a transaction of its own, and every call waits for its answer. Inside one,
/// ``run(_:_:)-(String,SQLValue...)`` only queues its statement. Calls that need an answer (``first(_:_:read:)``,
/// ``all(_:_:read:)-(String,SQLValue...,_)``, ``attempt(_:_:)``, ``changes``, ``flush()``, ``commit()``) send
/// everything that is queued with their own statement, wait once, and throw the error of a queued statement. The queue
/// sends itself at 256 commands or 1 MiB.
///
/// ```swift
/// let connection = try PostgreSQLConnection(settings)
/// try connection.withTransaction(.readCommitted) {
///     try connection.run("INSERT INTO marks (subject, mark) VALUES (?, ?)", .text("Algebra"), .integer(14))
///     let marks = try connection.all("SELECT mark FROM marks") { $0.integer(0) }
/// }
/// ```
public final class PostgreSQLConnection {
    /// The state of the transaction, including what is queued.
    enum Transaction {
        case none
        /// Begun by the caller; BEGIN is sent with the first statement.
        case promised(TransactionKind)
        case open
        /// A statement failed: the server accepts only a rollback.
        case failed(PostgreSQLError)
    }

    /// How many statements are cached, and kept prepared. A program has few texts, so this only guards against texts
    /// built at run time.
    private static let cacheLimit = 512

    let wire: Wire
    let pipeline: Pipeline
    private let settings: PostgreSQLSettings
    var transaction = Transaction.none
    var savepoints = 0
    private var statements: [String: Statement] = [:]
    private var values = BoundValues()
    /// How often statements were sent and their answers awaited.
    public var roundTrips: Int { pipeline.marks }
    /// How many of the statements run or queued may have changed data, judged by their words.
    public private(set) var writes = 0
    /// Notifications that arrived during other waits.
    var received: [PostgreSQLNotification] = []
    /// How many notifications were dropped because too many waited to be read.
    public internal(set) var droppedNotifications = 0
    /// Ends ``waitForNotifications(until:)`` from any thread.
    public let interrupter: PostgreSQLInterrupter

    /// Connects to a server and signs in.
    public init(_ settings: PostgreSQLSettings) throws(PostgreSQLError) {
        interrupter = try PostgreSQLInterrupter()
        wire = try Wire(settings)
        pipeline = Pipeline(wire)
        // The password is no longer needed.
        var kept = settings
        kept.password = []
        self.settings = kept
    }

    /// The server's version, such as 150018 for 15.18.
    public var serverVersion: Int { wire.serverVersion }

    /// The server's process that serves this connection.
    public var processID: Int32 { wire.processID }

    /// Whether the connection can still be used. Its end shows only when a call fails.
    public var isUsable: Bool { pipeline.lost == nil }

    /// How long the server may be silent while an answer is due.
    public var answerTimeout: Duration {
        get { wire.answerTimeout }
        set { wire.answerTimeout = newValue }
    }

    /// Runs every statement of a script and discards the rows.
    ///
    /// Outside a transaction the script is one transaction, unless it says otherwise.
    public func execute(_ script: String) throws(PostgreSQLError) {
        try refuseIfFailed()
        try beginIfPromised()
        try flush()
        writes += 1
        do {
            try pipeline.runScript(script, commits: !isInTransaction)
            noteState(after: nil)
        } catch {
            noteState(after: error)
            throw error
        }
    }

    /// Runs one statement and discards the rows. In a transaction it is queued, and a later call throws its error.
    public func run(_ sql: String, _ values: SQLValue...) throws(PostgreSQLError) {
        try run(sql, values.span)
    }

    /// Runs one statement, with its values in an array, and discards the rows. In a transaction it is queued.
    public func run(_ sql: String, _ values: [SQLValue]) throws(PostgreSQLError) { try run(sql, values.span) }

    /// Runs one statement and discards the rows. In a transaction it is queued. For statements that run often: the
    /// values need no allocation.
    public func run<let count: Int>(
        _ sql: String, binding values: InlineArray<count, SQLValue>
    ) throws(PostgreSQLError) {
        try run(sql, values.span)
    }

    /// Runs one statement, with its values in a span, and discards the rows. In a transaction it is queued.
    package func run(_ sql: String, _ values: Span<SQLValue>) throws(PostgreSQLError) {
        try refuseIfFailed()
        let statement = try bind(sql, values)
        guard isInTransaction else {
            try add(statement, as: .awaited)
            try settle()
            return
        }
        try add(statement, as: .queued)
        if pipeline.isFull { try flush() }
    }

    /// Runs one statement whose failure the caller handles, waits for it, and discards the rows.
    ///
    /// If it fails, it has changed nothing, and the transaction goes on: the statement has a savepoint of its own. The
    /// error of a statement that was queued before has ``PostgreSQLError/wasQueued`` set, and fails the transaction.
    public func attempt(_ sql: String, _ values: SQLValue...) throws(PostgreSQLError) {
        try refuseIfFailed()
        let statement = try bind(sql, values.span)
        guard isInTransaction else {
            try add(statement, as: .awaited)
            try settle()
            return
        }
        try addControl("SAVEPOINT attempt")
        try add(statement, as: .awaited)
        try addControl("RELEASE attempt")
        do {
            try settle()
        } catch {
            if !error.wasQueued { try recover(to: "attempt") }
            throw error
        }
    }

    /// Returns the first row, or `nil` if there is none.
    ///
    /// The server sends all rows, so a statement that finds many needs LIMIT 1.
    public func first<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing PostgreSQLRow) throws -> Value
    ) throws -> Value? {
        try first(sql, values.span, read: read)
    }

    /// Returns the first row of a statement with its values in a span, or `nil` if there is none.
    package func first<Value>(
        _ sql: String, _ values: Span<SQLValue>, read: (borrowing PostgreSQLRow) throws -> Value
    ) throws -> Value? {
        let answer = try query(sql, values)
        // The row points into the answer.
        defer { withExtendedLifetime(answer) {} }
        return answer.rows > 0 ? try read(PostgreSQLRow(answer.pointer, row: 0)) : nil
    }

    /// Returns all rows, in order.
    public func all<Value>(
        _ sql: String, _ values: SQLValue..., read: (borrowing PostgreSQLRow) throws -> Value
    ) throws -> [Value] {
        try all(sql, values, read: read)
    }

    /// Returns all rows, in order, of a statement whose number of values is only known at run time.
    public func all<Value>(
        _ sql: String, _ values: [SQLValue], read: (borrowing PostgreSQLRow) throws -> Value
    ) throws -> [Value] {
        let answer = try query(sql, values.span)
        // The rows point into the answer.
        defer { withExtendedLifetime(answer) {} }
        var found: [Value] = []
        found.reserveCapacity(Int(answer.rows))
        for row in 0..<answer.rows { found.append(try read(PostgreSQLRow(answer.pointer, row: row))) }
        return found
    }

    private func query(_ sql: String, _ values: Span<SQLValue>) throws(PostgreSQLError) -> Answer {
        try refuseIfFailed()
        try add(try bind(sql, values), as: .awaited)
        let answer = try awaitAnswer()
        try ColumnType.check(answer.pointer, of: sql)
        return answer
    }

    /// How many rows the last INSERT, UPDATE, MERGE or DELETE changed. Waits for what is queued.
    public var changes: Int {
        get throws(PostgreSQLError) {
            try flush()
            return pipeline.changes
        }
    }

    /// Sends the queued statements and waits for their answers.
    public func flush() throws(PostgreSQLError) {
        if pipeline.hasWaiting { try settle() }
    }

    // MARK: - Statements

    /// Finds the statement of a text, and binds the values to it.
    private func bind(_ sql: String, _ values: Span<SQLValue>) throws(PostgreSQLError) -> Statement {
        let statement = try statement(sql)
        guard values.count == statement.text.parameters else {
            throw PostgreSQLError(.misuse, "the statement takes another number of values", statement: sql)
        }
        do {
            try self.values.set(values)
        } catch {
            var error = error
            error.statement = sql
            throw error
        }
        return statement
    }

    private func statement(_ sql: String) throws(PostgreSQLError) -> Statement {
        if let known = statements[sql] { return known }
        let isKept = statements.count < Self.cacheLimit
        let statement = try Statement(sql, isPrepared: isKept && settings.prepared)
        if isKept { statements[sql] = statement }
        return statement
    }

    /// Queues a statement with the values that were bound to it.
    func add(_ statement: Statement, as role: Pipeline.Role) throws(PostgreSQLError) {
        try beginIfPromised()
        var role = role
        if case .none = transaction { role.commits = statement.text.writes }
        do {
            try pipeline.add(statement, &values, as: role)
        } catch {
            noteState(after: error)
            throw error
        }
        values.clear()
        if statement.text.writes { writes += 1 }
    }

    /// Queues a statement of the driver itself, which has no values.
    func addControl(_ sql: String, as role: Pipeline.Role = .queued) throws(PostgreSQLError) {
        try beginIfPromised()
        let statement = try statement(sql)
        var none = BoundValues()
        do {
            try pipeline.add(statement, &none, as: role)
        } catch {
            noteState(after: error)
            throw error
        }
    }

    private func beginIfPromised() throws(PostgreSQLError) {
        guard case .promised(let kind) = transaction else { return }
        transaction = .open
        try addControl(kind.begin)
        guard !settings.prepared else { return }
        for timeout in settings.timeouts { try addControl("SET LOCAL \(timeout.name) = \(timeout.milliseconds)") }
    }

    // MARK: - Answers

    /// Sends what is queued, and waits for the answers; throws the first error.
    ///
    /// - Returns: the result of the awaited statement, if there is one.
    @discardableResult
    func settle() throws(PostgreSQLError) -> Answer? {
        do throws(PostgreSQLError) {
            try pipeline.mark()
            var answers = try pipeline.collect()
            noteState(after: answers.failure)
            if let failure = answers.failure { throw failure }
            return answers.result.take()
        } catch {
            if pipeline.lost != nil { noteState(after: error) }
            throw error
        }
    }

    /// Sends what is queued, and waits for the answer of the awaited statement.
    func awaitAnswer() throws(PostgreSQLError) -> Answer {
        guard let answer = try settle() else { throw PostgreSQLError(.other, "the server gave no answer") }
        return answer
    }
}
