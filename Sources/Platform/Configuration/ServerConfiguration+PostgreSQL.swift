extension ServerConfiguration {
    /// A database of a PostgreSQL server, which holds the store instead of a file.
    public struct PostgreSQL: Sendable, Equatable {
        /// How the connections are protected.
        public enum TLS: String, Sendable, CaseIterable {
            /// The server's certificate must be for its host, and an authority must vouch for it.
            case verifyFull = "verify-full"
            /// An authority must vouch for the server's certificate.
            case verifyAuthority = "verify-ca"
            /// Encrypted, to whatever server answers.
            case require
            /// Not encrypted.
            case disable
        }

        /// The server's name or address, or the folder of its Unix socket, beginning with `/`.
        public var host: String
        /// The port; on a Unix socket the number in the socket's name.
        public var port: Int
        /// The database.
        public var database: String
        /// The user.
        public var user: String
        /// The maximum number of connections that a server keeps.
        public var connections = 16
        /// How the connections are protected. It has no effect on a Unix socket.
        public var tls = TLS.verifyFull
        /// The PEM file with the certificate authorities to trust; `nil` for the system's.
        public var authorities: String?
        /// The file with the password; `nil` if the server asks for none.
        public var passwordFile: String?
        /// The pooler that reads go through; `nil` if they go to the server.
        public var pooler: Pooler?

        /// A connection pooler in transaction mode.
        public struct Pooler: Sendable, Equatable {
            /// Its name or address, or the folder of its Unix socket.
            public var host: String
            /// Its port.
            public var port: Int
            /// Its name for the database.
            public var database: String
            /// The user.
            public var user: String
            /// Whether it keeps prepared statements.
            public var prepared = true
        }

        /// The form of a URL, for messages.
        static let expected = "postgresql://user@host:5432/database, without a password"

        /// Reads a URL: `postgresql://user@host:port/database`. A host that begins with `/`, percent-encoded, is the
        /// folder of a Unix socket. `nil` for anything else, and for a URL with a password.
        public init?(_ url: String) {
            guard let scheme = ["postgresql://", "postgres://"].first(where: { url.hasPrefix($0) }) else { return nil }
            let parts = url.dropFirst(scheme.count).split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 2, let at = parts[0].lastIndex(of: "@") else { return nil }
            let place = parts[0][parts[0].index(after: at)...]
            // A colon would introduce a password, a question mark parameters.
            guard !parts[0][..<at].contains(":"), !parts[1].contains("?"), let user = Self.decoded(parts[0][..<at]),
                let database = Self.decoded(parts[1]), let (host, port) = Self.place(place)
            else { return nil }
            (self.user, self.database, self.host, self.port) = (user, database, host, port)
        }

        /// Reads a host, in brackets if it is an IPv6 address, and an optional port.
        private static func place(_ text: Substring) -> (host: String, port: Int)? {
            var (host, rest) = (text, Substring())
            if text.first == "[" {
                guard let end = text.firstIndex(of: "]") else { return nil }
                host = text[text.index(after: text.startIndex)..<end]
                rest = text[text.index(after: end)...]
            } else if let colon = text.firstIndex(of: ":") {
                (host, rest) = (text[..<colon], text[colon...])
            }
            guard let name = decoded(host) else { return nil }
            if rest.isEmpty { return (name, 5_432) }
            guard rest.removeFirst() == ":", rest.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(rest),
                port > 0
            else { return nil }
            return (name, Int(port))
        }

        /// Decodes `%2F` and the like; `nil` for a text that is empty, invalid or contains control characters.
        private static func decoded(_ text: Substring) -> String? {
            var bytes: [UInt8] = []
            var rest = text.utf8
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                guard let high = rest.popFirst(), let low = rest.popFirst(),
                    let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
            }
            guard !bytes.isEmpty, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
            return String(validating: bytes, as: UTF8.self)
        }
    }
}
