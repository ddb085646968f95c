internal import CPostgreSQL
internal import Glibc

/// libpq's connection: nonblocking, and every wait has a limit.
final class Wire {
    /// Errors with which the server explains in advance why it ends the connection, kept for the call that notices.
    private final class Farewell {
        var error: PostgreSQLError?
    }

    private let handle: OpaquePointer
    private let farewell = Farewell()
    /// How long the server may be silent while an answer is due.
    var answerTimeout: Duration

    /// Connects and signs in.
    init(_ settings: PostgreSQLSettings) throws(PostgreSQLError) {
        answerTimeout = settings.answerTimeout
        guard let handle = try Self.start(settings) else { throw PostgreSQLError(.shortage, "out of memory") }
        self.handle = handle
        // The text of a connection error contains its code in this form only.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        listenToFarewells()
        // Every property is set, so that `deinit` closes the connection if this throws.
        try connect(until: .now + settings.connectTimeout)
        guard PQparameterStatus(handle, "standard_conforming_strings").map({ String(cString: $0) }) == "on" else {
            throw PostgreSQLError(.misuse, "the server must have standard_conforming_strings on")
        }
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw failure() }
    }

    deinit { PQfinish(handle) }

    /// The server's process for this connection.
    var processID: Int32 { PQbackendPID(handle) }

    /// The server's version, such as 150018 for 15.18.
    var serverVersion: Int { Int(PQserverVersion(handle)) }

    /// The status of the transaction that the server last reported.
    var transactionStatus: PGTransactionStatusType { PQtransactionStatus(handle) }

    /// The socket, for waiting; negative when the connection is closed.
    var socket: Int32 { PQsocket(handle) }

    /// Puts a command into libpq's buffer.
    ///
    /// - Parameter command: one of libpq's sending functions; it returns 0 on failure.
    func send(_ command: (OpaquePointer) -> Int32) throws(PostgreSQLError) {
        guard command(handle) == 1 else { throw failure() }
    }

    /// Returns the next result, or `nil` at the end of a command's results. Sends what is in the buffer before waiting.
    func nextResult() throws(PostgreSQLError) -> Answer? {
        var deadline = ContinuousClock.now + answerTimeout
        while true {
            // After a failed write libpq reads on, because the server may have said why.
            let events = PQflush(handle) == 1 ? POLLIN | POLLOUT : POLLIN
            guard PQisBusy(handle) != 0 else { return takeResult() }
            if cpostgresql_pending(handle) == 0 {
                guard try poll(events, until: deadline) else {
                    throw PostgreSQLError(.connectionLost, "the server did not answer in time")
                }
            }
            // On failure the result says what is wrong, and nothing remains to wait for.
            guard PQconsumeInput(handle) == 1 else { return takeResult() }
            deadline = .now + answerTimeout
        }
    }

    private func takeResult() -> Answer? {
        guard let pointer = PQgetResult(handle) else { return nil }
        return Answer(pointer)
    }

    /// Reads what has arrived, without waiting.
    func consume() throws(PostgreSQLError) {
        repeat {
            guard PQconsumeInput(handle) == 1 else { throw failure() }
        } while cpostgresql_pending(handle) > 0
    }

    /// Returns the next notification that has been read.
    func nextNotification() -> PostgreSQLNotification? {
        guard let notification = PQnotifies(handle) else { return nil }
        defer { PQfreemem(notification) }
        return PostgreSQLNotification(
            channel: String(cString: notification.pointee.relname),
            payload: String(cString: notification.pointee.extra), sender: notification.pointee.be_pid)
    }

    /// Leaves or enters pipeline mode; nothing may be under way.
    func setPipelining(_ isOn: Bool) throws(PostgreSQLError) {
        guard (isOn ? PQenterPipelineMode(handle) : PQexitPipelineMode(handle)) == 1 else { throw failure() }
    }

    /// Returns the reason why the connection can no longer be used.
    func failure() -> PostgreSQLError {
        if var error = farewell.error {
            error.endsConnection = true
            return error
        }
        let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        let message = text.split(separator: "\n").joined(separator: " ")
        return PostgreSQLError(.connectionLost, message.isEmpty ? "the connection is closed" : message)
    }

    /// Waits until the socket is ready, or its failure can be read.
    ///
    /// - Returns: whether it is; `false` at the deadline.
    private func poll(_ events: Int32, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) -> Bool {
        let descriptor = socket
        guard descriptor >= 0 else { throw failure() }
        return try awaitEvents([pollfd(fd: descriptor, events: Int16(events), revents: 0)], until: deadline)
    }

    // MARK: - Connecting

    private static func start(_ settings: PostgreSQLSettings) throws(PostgreSQLError) -> OpaquePointer? {
        let parameters = try settings.parameters()
        // libpq copies the texts. The copies that are made for it here are cleared: one is the password.
        let keywords = parameters.map { strdup($0.keyword) }
        let values = parameters.map { parameter in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: parameter.value.count + 1)
            for (place, byte) in parameter.value.enumerated() { copy[place] = CChar(bitPattern: byte) }
            copy[parameter.value.count] = 0
            return copy
        }
        defer {
            for keyword in keywords { free(keyword) }
            for (value, parameter) in zip(values, parameters) {
                explicit_bzero(value, parameter.value.count)
                value.deallocate()
            }
        }
        return PQconnectStartParams(
            keywords.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 0)
    }

    private func connect(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
        var next = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while next != PGRES_POLLING_OK {
            guard next == PGRES_POLLING_READING || next == PGRES_POLLING_WRITING else {
                throw PostgreSQLError.connecting(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
            }
            guard try poll(next == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline) else {
                throw PostgreSQLError(.connectionLost, "the server did not let the connection in in time")
            }
            next = PQconnectPoll(handle)
        }
    }

    /// Keeps what the server says before it ends a connection that has nothing under way. Without this, libpq would
    /// write all notices of the server to standard error.
    private func listenToFarewells() {
        PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result, let error = PostgreSQLError(result: result) else { return }
                // After a crash of another process the server sends a warning, and ends the connection.
                guard error.endsConnection || error.state?.hasPrefix("57P") == true else { return }
                Unmanaged<Farewell>.fromOpaque(context).takeUnretainedValue().error = error
            }, Unmanaged.passUnretained(farewell).toOpaque())
    }
}

/// Waits until one of the descriptors is ready.
///
/// - Returns: whether one is; `false` at the deadline.
func awaitEvents(
    _ watched: [pollfd], until deadline: ContinuousClock.Instant
) throws(PostgreSQLError) -> Bool {
    var watched = watched
    while true {
        let left = max(.zero, deadline - .now)
        let ready = Glibc.poll(&watched, nfds_t(watched.count), Int32(clamping: left.milliseconds))
        if ready > 0 { return true }
        if ready < 0, errno != EINTR {
            throw PostgreSQLError(.connectionLost, "poll failed with error \(errno)")
        }
        if ready == 0, ContinuousClock.now >= deadline { return false }
    }
}
