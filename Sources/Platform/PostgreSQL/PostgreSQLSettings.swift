/// Where a server is, who signs in, and how long everything may take.
public struct PostgreSQLSettings: Sendable {
    /// How the connection is protected. On a Unix socket there is no TLS, and this has no effect.
    public enum TLS: Sendable, Hashable {
        /// No TLS.
        case disable
        /// TLS without checking the certificate: no protection against a server that pretends to be another.
        case require
        /// TLS with a certificate that one of the root certificates vouches for.
        case verifyAuthority(rootCertificate: String)
        /// The same, and the certificate must be for the connection's host.
        case verifyFull(rootCertificate: String)
    }

    /// Debian's file of the public authorities, for ``TLS/verifyFull(rootCertificate:)``.
    public static let publicAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// A host's name or address, or the folder of a Unix socket, beginning with `/`. The time that the system takes to
    /// look up a name is not bounded by ``connectTimeout``.
    public var host: String
    /// The port; on a Unix socket the number in the socket's name.
    public var port = 5_432
    /// The database.
    public var database: String
    /// The user.
    public var user: String
    /// The password; empty if the server needs none. It must not contain a zero byte.
    public var password: [UInt8] = []
    /// How the connection is protected.
    public var tls: TLS
    /// How long connecting and signing in may take.
    public var connectTimeout = Duration.seconds(10)
    /// How long the server may be silent while an answer is due. After that the connection is closed.
    ///
    /// The silence spans the statements that are sent together, so it must be longer than ``statementTimeout``, which
    /// ends a slow statement and keeps the connection.
    public var answerTimeout = Duration.seconds(45)
    /// How long one statement may run on the server; zero for no limit.
    public var statementTimeout = Duration.seconds(30)
    /// How long a statement may wait for a lock; zero for no limit.
    public var lockTimeout = Duration.seconds(10)
    /// How long a transaction may wait for its next statement before the server ends the session; zero for no limit.
    public var idleTransactionTimeout = Duration.seconds(30)
    /// The name that the server shows to its operators.
    public var applicationName = "gradecast"
    /// Whether statements are prepared on the server, and timeouts set once for the session.
    ///
    /// `false` is for PgBouncer in transaction mode, where a session's state does not last: every statement is sent
    /// whole, and the timeouts are set in each transaction. Statements outside a transaction then have no timeouts.
    public var prepared = true

    /// Creates settings with defaults for what is not given.
    public init(host: String, database: String, user: String, tls: TLS) {
        self.host = host
        self.database = database
        self.user = user
        self.tls = tls
    }

    /// The session's timeouts by the names of PostgreSQL's settings, in milliseconds.
    var timeouts: [(name: String, milliseconds: Int)] {
        [
            ("statement_timeout", statementTimeout.milliseconds), ("lock_timeout", lockTimeout.milliseconds),
            ("idle_in_transaction_session_timeout", idleTransactionTimeout.milliseconds),
        ]
    }

    /// The settings as parameters of libpq.
    ///
    /// Gives each parameter that libpq would otherwise take from the environment or from the user's home, except an
    /// empty password.
    ///
    /// - Throws: an error of kind `misuse` if a value contains U+0000, which would cut it, or a name is empty.
    func parameters() throws(PostgreSQLError) -> [(keyword: String, value: [UInt8])] {
        var parameters = [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("application_name", applicationName), ("client_encoding", "UTF8"), ("passfile", Self.nowhere),
            ("sslcert", Self.nowhere), ("sslkey", Self.nowhere), ("sslcrl", Self.nowhere), ("gssencmode", "disable"),
            ("target_session_attrs", "any"),
            // Detects a peer that vanishes silently even where no answer is due.
            ("keepalives", "1"), ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("tcp_user_timeout", String(answerTimeout.milliseconds)),
        ]
        switch tls {
        case .disable: parameters += [("sslmode", "disable"), ("sslrootcert", Self.nowhere)]
        case .require: parameters += [("sslmode", "require"), ("sslrootcert", Self.nowhere)]
        case .verifyAuthority(let file): parameters += [("sslmode", "verify-ca"), ("sslrootcert", file)]
        case .verifyFull(let file): parameters += [("sslmode", "verify-full"), ("sslrootcert", file)]
        }
        if prepared {
            // The statement parser requires strings in which a backslash is an ordinary character.
            let options = timeouts.map { ($0.name, String($0.milliseconds)) } + [("standard_conforming_strings", "on")]
            parameters.append(("options", options.map { "-c \($0)=\($1)" }.joined(separator: " ")))
        }
        for name in [host, database, user] where name.isEmpty {
            throw PostgreSQLError(.misuse, "host, database and user must be given")
        }
        var encoded = parameters.map { (keyword: $0, value: Array($1.utf8)) }
        if !password.isEmpty { encoded.append(("password", password)) }
        if let wrong = encoded.first(where: { $0.value.contains(0) }) {
            throw PostgreSQLError(.misuse, "the setting \(wrong.keyword) contains U+0000")
        }
        return encoded
    }

    /// A file that does not exist.
    private static let nowhere = "/nonexistent"
}

extension Duration {
    /// The duration in whole milliseconds, rounded up; the largest is 2³¹ − 1, which is 24 days.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 2_147_483 else { return Int(Int32.max) }
        guard seconds >= 0 else { return 0 }
        return Int(seconds) * 1_000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
