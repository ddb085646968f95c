internal import CPostgreSQL

/// The commands that were sent or wait to be sent, and their answers, in order.
///
/// Marks (libpq's synchronization points) separate groups of commands. When a command fails, the server skips the
/// others up to the next mark, and then continues.
final class Pipeline {
    /// How many commands may wait before they are sent.
    static let greatestCount = 256
    /// How many bytes may wait before they are sent.
    static let greatestSize = 1 << 20

    /// How a statement is run.
    struct Role {
        /// Whether the caller waits for this statement's own answer.
        var isAwaited = false
        /// Whether the statement makes changes durable, so that a lost answer leaves their fate open.
        var commits = false

        static let queued = Role()
        static let awaited = Role(isAwaited: true)
    }

    private enum Step {
        case prepare(Statement, Statement.Form)
        case execute(Statement, Role)
        case mark
    }

    /// What came back between two marks.
    struct Answers: ~Copyable {
        /// The result of the awaited statement.
        var result: Answer?
        /// The first error.
        var failure: PostgreSQLError?
    }

    private let wire: Wire
    private var steps: [Step] = []
    private var next = 0
    private var waitingBytes = 0
    private var names = 0
    private(set) var lost: PostgreSQLError?
    /// How many marks were set.
    private(set) var marks = 0
    /// How many rows the last INSERT, UPDATE, MERGE or DELETE changed.
    private(set) var changes = 0

    init(_ wire: Wire) { self.wire = wire }

    /// Whether statements wait after the last mark.
    var hasWaiting: Bool { !steps.isEmpty }

    /// Whether enough is waiting to be sent.
    var isFull: Bool { steps.count >= Self.greatestCount || waitingBytes >= Self.greatestSize }

    /// Gives up the connection; every later call throws this error.
    func end(_ error: PostgreSQLError) {
        if lost == nil { lost = error }
        lost?.endsConnection = true
        steps = []
        next = 0
    }

    /// Queues a statement, after the command that prepares it if it is not prepared yet.
    func add(_ statement: Statement, _ values: inout BoundValues, as role: Role) throws(PostgreSQLError) {
        try check()
        let count = Int32(values.types.count)
        let form = statement.form(for: values.types) {
            names += 1
            return "s\(names)"
        }
        do {
            if let form {
                if form.progress == .unsent {
                    try wire.send { PQsendPrepare($0, form.name, statement.text.characters, count, form.types) }
                    form.progress = .sent
                    steps.append(.prepare(statement, form))
                    waitingBytes += statement.text.characters.count
                }
                try wire.send { handle in
                    values.lend { PQsendQueryPrepared(handle, form.name, count, $0, $1, $2, 1) }
                }
            } else {
                let types = values.types
                try wire.send { handle in
                    values.lend { PQsendQueryParams(handle, statement.text.characters, count, types, $0, $1, $2, 1) }
                }
                waitingBytes += statement.text.characters.count
            }
        } catch {
            throw lose(error, after: steps.count)
        }
        steps.append(.execute(statement, role))
        // Names, formats and lengths add to the values.
        waitingBytes += values.byteCount + 64 + 8 * Int(count)
    }

    /// Sets a mark, which makes libpq send everything before it.
    func mark() throws(PostgreSQLError) {
        try check()
        do {
            try wire.send { PQpipelineSync($0) }
        } catch {
            throw lose(error, after: next)
        }
        steps.append(.mark)
        marks += 1
        waitingBytes = 0
    }

    /// Waits for the answers up to the next mark.
    ///
    /// - Throws: the end of the connection; errors of statements are in the value.
    func collect() throws(PostgreSQLError) -> Answers {
        try check()
        var answers = Answers()
        while next < steps.count {
            let step = steps[next]
            do {
                switch step {
                case .mark:
                    try readMark()
                    next += 1
                    if next == steps.count {
                        steps.removeAll(keepingCapacity: true)
                        next = 0
                    }
                    return answers
                case .prepare(let statement, let form):
                    let error = try readPreparation(of: form, of: statement)
                    if answers.failure == nil { answers.failure = error }
                case .execute(let statement, let role):
                    try readResult(of: statement, role, into: &answers)
                }
            } catch {
                throw lose(error, after: answers.failure == nil ? next : steps.count)
            }
            next += 1
        }
        return answers
    }

    /// Runs a script with the simple query protocol, which allows several statements. Nothing may be queued.
    func runScript(_ script: String, commits: Bool) throws(PostgreSQLError) {
        try check()
        guard !script.utf8.contains(0) else {
            throw PostgreSQLError(.misuse, "the script contains U+0000", statement: script)
        }
        var failure: PostgreSQLError?
        do throws(PostgreSQLError) {
            try wire.setPipelining(false)
            try wire.send { PQsendQuery($0, script) }
            while let answer = try wire.nextResult() {
                if failure == nil { failure = try error(of: answer, script) }
            }
            try wire.setPipelining(true)
        } catch {
            var error = error
            error.statement = error.statement ?? script
            error.isOutcomeUnknown = commits
            end(error)
            throw error
        }
        if let failure { throw failure }
    }

    // MARK: - Answers

    private func readMark() throws(PostgreSQLError) {
        guard let answer = try wire.nextResult() else { throw wire.failure() }
        guard answer.status == PGRES_PIPELINE_SYNC else { throw answer.error ?? wire.failure() }
    }

    private func readPreparation(
        of form: Statement.Form, of statement: Statement
    ) throws(PostgreSQLError) -> PostgreSQLError? {
        let answer = try readOne()
        form.progress = answer.status == PGRES_COMMAND_OK ? .ready : .unsent
        return try error(of: answer, statement.sql)
    }

    private func readResult(
        of statement: Statement, _ role: Role, into answers: inout Answers
    ) throws(PostgreSQLError) {
        let answer = try readOne()
        if var error = try error(of: answer, statement.sql) {
            // The rows now have other columns, or the server no longer knows the prepared form.
            if error.state == "0A000" || error.state == "26000" { statement.forgetForms() }
            error.wasQueued = !role.isAwaited
            if answers.failure == nil { answers.failure = error }
        } else if answer.status != PGRES_PIPELINE_ABORTED {
            if let count = answer.changes { changes = count }
            if role.isAwaited { answers.result = consume answer }
        }
    }

    /// Reads a command's only result and the end of its results.
    private func readOne() throws(PostgreSQLError) -> Answer {
        guard let answer = try wire.nextResult() else { throw wire.failure() }
        guard !answer.copies else { throw Self.copying }
        // A script may have many results, a command has one; after it libpq reports that there is no other.
        if !answer.endsConnection, try wire.nextResult() != nil { throw wire.failure() }
        return answer
    }

    /// Returns a statement's error; throws one that ends the connection.
    private func error(of answer: borrowing Answer, _ statement: String) throws(PostgreSQLError) -> PostgreSQLError? {
        switch answer.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY, PGRES_PIPELINE_ABORTED: return nil
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
            var error = answer.error ?? wire.failure()
            error.statement = statement
            if error.endsConnection { throw error }
            return error
        default:
            throw Self.copying
        }
    }

    /// The error for COPY, which would wait for data. libpq cannot continue after it.
    private static var copying: PostgreSQLError {
        var error = PostgreSQLError(.misuse, "the driver does not copy, and has closed the connection")
        error.endsConnection = true
        return error
    }

    // MARK: - The end of the connection

    private func check() throws(PostgreSQLError) {
        if let lost { throw PostgreSQLError(afterEnd: lost) }
    }

    /// Ends the connection, and says whether a commit among the unanswered steps may have happened.
    private func lose(_ error: PostgreSQLError, after place: Int) -> PostgreSQLError {
        var error = error
        error.endsConnection = true
        for step in steps[min(place, steps.count)...] {
            guard case .execute(let statement, let role) = step else { continue }
            if error.statement == nil { error.statement = statement.sql }
            if role.commits { error.isOutcomeUnknown = true }
        }
        end(error)
        return error
    }
}

/// A result of the server, which is freed with this value.
struct Answer: ~Copyable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(pointer) }

    var status: ExecStatusType { PQresultStatus(pointer) }

    /// Whether the server waits for data, or sends some, outside the rows of a result.
    var copies: Bool { status == PGRES_COPY_IN || status == PGRES_COPY_OUT || status == PGRES_COPY_BOTH }

    /// The number of rows.
    var rows: Int32 { PQntuples(pointer) }

    /// The server's command tag, such as `INSERT 0 1`.
    var tag: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    var error: PostgreSQLError? { PostgreSQLError(result: pointer) }

    /// Whether the connection ends with this result: the server says so, or the connection broke.
    var endsConnection: Bool { status == PGRES_FATAL_ERROR && error?.endsConnection != false }

    /// How many rows were changed; `nil` for a kind of statement that changes none.
    var changes: Int? {
        guard let tag = PQcmdStatus(pointer), let count = PQcmdTuples(pointer), count.pointee != 0 else { return nil }
        switch UInt8(bitPattern: tag[0]) {
        case UInt8(ascii: "I"), UInt8(ascii: "U"), UInt8(ascii: "D"): return Int(String(cString: count))
        case UInt8(ascii: "M") where tag[1] == CChar(UInt8(ascii: "E")): return Int(String(cString: count))
        default: return nil
        }
    }
}
