/// The server's number for a transaction that has written something. The server never reuses a number, but see
/// ``PostgreSQLConnection/status(of:)``.
public struct TransactionID: RawRepresentable, Hashable, Sendable {
    /// The number, with the count of its wrap-arounds in the upper 32 bits.
    public let rawValue: Int

    /// Creates an identifier from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What has become of a transaction.
public enum TransactionStatus: String, Sendable {
    /// It is still open, perhaps on a connection whose end the server has not noticed.
    case inProgress = "in progress"
    /// Its changes are durable.
    case committed
    /// It has left no changes.
    case aborted
}

extension PostgreSQLConnection {
    /// The identifier of the open transaction; `nil` if it has not written anything. Waits for what is queued.
    public var transactionID: TransactionID? {
        get throws {
            try first("SELECT pg_current_xact_id_if_assigned()") { row in
                row.optionalInteger(0).map { TransactionID(rawValue: $0) }
            }.flatMap(\.self)
        }
    }

    /// Returns the identifier of the open transaction, and has one assigned if it has not written anything yet.
    ///
    /// To learn about a COMMIT whose answer is lost, the caller must know the identifier before the commit. A statement
    /// of the caller's that calls `pg_current_xact_id()` saves this round trip.
    public func assignTransactionID() throws -> TransactionID {
        guard isInTransaction else { throw PostgreSQLError(.misuse, "no transaction is open") }
        let number = try first("SELECT pg_current_xact_id()") { $0.integer(0) }
        return TransactionID(rawValue: number ?? 0)
    }

    /// Returns what has become of a transaction, for a COMMIT whose answer was lost; `nil` if it is too long ago.
    ///
    /// Outside a transaction only. An identifier that the server has not given out yet counts as aborted: a server that
    /// restarted after a crash, or a standby that took over, does not know a transaction that never reached its disk.
    ///
    /// - Important: After such a restart the server may give the same identifier to a later transaction. `committed` is
    ///   certain only if the transaction's own rows are found too.
    public func status(of transaction: TransactionID) throws -> TransactionStatus? {
        guard !isInTransaction else { throw PostgreSQLError(.misuse, "ask outside a transaction") }
        do {
            let word = try first("SELECT pg_xact_status(?::text::xid8)", .text(String(transaction.rawValue))) { row in
                row.optionalText(0)
            }
            return word.flatMap(\.self).flatMap(TransactionStatus.init(rawValue:))
        } catch let error as PostgreSQLError where error.state == "22023" {
            return .aborted
        }
    }
}
