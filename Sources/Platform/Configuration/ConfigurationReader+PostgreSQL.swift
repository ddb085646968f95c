import Forms
import JSON
import Messages

extension ServerConfiguration.PostgreSQL {
    /// How many connections an operator may choose. One connection is the writer's, one is for work over many records.
    private static let connectionCounts = 3...500

    init?(_ form: inout Form) {
        let url = form.line("url", max: 1_024, required: true)
        let connections = form.integer("connections", in: Self.connectionCounts)
        let tls = form.choice("tls", of: TLS.self)
        let authorities = form.line("authorities", max: 4_096)
        let passwordFile = form.line("passwordFile", max: 4_096)
        let pooler = form.line("pooler", max: 1_024).flatMap { url -> Pooler? in
            guard let place = Self(url) else {
                form.refuse("pooler", .outOfRange, ["expected": .string(Self.expected)])
                return nil
            }
            return Pooler(host: place.host, port: place.port, database: place.database, user: place.user)
        }
        let prepared = form.flag("prepared")
        guard let url else { return nil }
        guard var database = Self(url) else {
            form.refuse("url", .outOfRange, ["expected": .string(Self.expected)])
            return nil
        }
        database.connections = connections ?? database.connections
        database.tls = tls ?? database.tls
        (database.authorities, database.passwordFile) = (authorities, passwordFile)
        database.pooler = pooler
        database.pooler?.prepared = prepared ?? true
        self = database
    }
}
