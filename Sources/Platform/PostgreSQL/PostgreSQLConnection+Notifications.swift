internal import CLinux
internal import Glibc

/// A notification of another connection, or of this one.
public struct PostgreSQLNotification: Hashable, Sendable {
    /// The channel.
    public let channel: String
    /// The text that was sent; often empty.
    public let payload: String
    /// The server's process for the connection that sent it; see ``PostgreSQLConnection/processID``.
    public let sender: Int32
}

/// Ends another thread's wait for notifications.
public final class PostgreSQLInterrupter: Sendable {
    /// A counter of the kernel (eventfd), readable while it is not zero.
    let descriptor: Int32

    init() throws(PostgreSQLError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw PostgreSQLError(.shortage, "eventfd failed with error \(errno)") }
    }

    deinit { close(descriptor) }

    /// Ends the current wait, or the next one if there is none. Any thread may call this.
    public func interrupt() {
        var one: UInt64 = 1
        // It fails only when the counter is full, and then the wait ends anyway.
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Forgets earlier interruptions; returns whether there was one.
    func takeInterruption() -> Bool {
        var count: UInt64 = 0
        return read(descriptor, &count, MemoryLayout<UInt64>.size) > 0
    }
}

extension PostgreSQLConnection {
    /// The most notifications that wait to be read; later ones are dropped and counted.
    private static let notificationLimit = 16_384
    /// The longest name of a channel in bytes.
    private static let nameLimit = 63

    /// Subscribes to a channel; in a transaction, from its commit on.
    ///
    /// - Parameter channel: a name of at most 63 bytes, used unchanged; case matters.
    public func listen(_ channel: String) throws(PostgreSQLError) { try run("LISTEN \(try quoted(channel))") }

    /// Ends the subscription to a channel.
    public func unlisten(_ channel: String) throws(PostgreSQLError) { try run("UNLISTEN \(try quoted(channel))") }

    /// Sends a notification to every connection that listens to the channel; in a transaction, when it commits.
    ///
    /// - Parameter payload: a text of less than 8,000 bytes.
    public func notify(_ channel: String, _ payload: String = "") throws(PostgreSQLError) {
        try run("SELECT pg_notify(?, ?)", .text(channel), .text(payload))
    }

    /// Waits for notifications.
    ///
    /// More than 16,384 that wait to be read are dropped and counted in ``droppedNotifications``, so correctness must
    /// not depend on notifications.
    ///
    /// - Returns: the notifications in the order of their arrival; none if the deadline passed or ``interrupter`` ended
    ///   the wait.
    /// - Throws: also when the connection ends.
    public func waitForNotifications(
        until deadline: ContinuousClock.Instant
    ) throws(PostgreSQLError) -> [PostgreSQLNotification] {
        try flush()
        keepNotifications()
        while received.isEmpty {
            if let lost = pipeline.lost { throw PostgreSQLError(afterEnd: lost) }
            let watched = [
                pollfd(fd: wire.socket, events: Int16(POLLIN), revents: 0),
                pollfd(fd: interrupter.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            let isReady = try awaitEvents(watched, until: deadline)
            if interrupter.takeInterruption() || !isReady { break }
            do {
                try wire.consume()
            } catch {
                pipeline.end(error)
                noteState(after: error)
                throw error
            }
            keepNotifications()
        }
        defer { received.removeAll() }
        return received
    }

    /// Keeps the notifications that arrived with other answers.
    func keepNotifications() {
        while let notification = wire.nextNotification() {
            if received.count < Self.notificationLimit {
                received.append(notification)
            } else {
                droppedNotifications += 1
            }
        }
    }

    private func quoted(_ name: String) throws(PostgreSQLError) -> String {
        guard !name.isEmpty, name.utf8.count <= Self.nameLimit, !name.utf8.contains(0) else {
            throw PostgreSQLError(.misuse, "a channel has a name of 1 to \(Self.nameLimit) bytes without U+0000")
        }
        return "\"\(name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\""))\""
    }
}
