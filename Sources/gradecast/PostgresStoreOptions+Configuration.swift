import Configuration
import PostgreSQL
import PostgresStore

extension PostgresStoreOptions {
    /// Takes what an operator configured. The password is read for each new connection, so that it can be changed while
    /// the server runs.
    init(_ configured: ServerConfiguration.PostgreSQL) {
        let authorities = configured.authorities ?? PostgreSQLSettings.publicAuthorities
        let tls: PostgreSQLSettings.TLS =
            switch configured.tls {
            case .verifyFull: .verifyFull(rootCertificate: authorities)
            case .verifyAuthority: .verifyAuthority(rootCertificate: authorities)
            case .require: .require
            case .disable: .disable
            }
        var settings = PostgreSQLSettings(
            host: configured.host, database: configured.database, user: configured.user, tls: tls)
        settings.port = configured.port
        self.init(settings)
        pooler = configured.pooler.map { pooler in
            var settings = settings
            (settings.host, settings.port) = (pooler.host, pooler.port)
            (settings.database, settings.user) = (pooler.database, pooler.user)
            settings.prepared = pooler.prepared
            return settings
        }
        // One connection is for the writer, one for work over many records.
        readers = max(1, configured.connections - 2)
        guard let path = configured.passwordFile else { return }
        password = { Array(try Files.secretLine(of: path, "the password of the database's user").utf8) }
    }
}
