import PostgreSQL
import PostgreSQLTestKit
import Testing
import TestKit

@Suite(.serialized) struct `Signing in` {
    // One server for all of them.
    private static let shared = Result {
        var options = PostgreSQLCluster.Options()
        options.usesTCP = true
        options.asksForPassword = true
        options.certificate = try TestCertificate(kind: .p256)
        return try PostgreSQLCluster(options)
    }

    let cluster: PostgreSQLCluster

    init() throws { cluster = try Self.shared.get() }

    private func connect(
        _ tls: PostgreSQLSettings.TLS? = nil, host: String = "localhost",
        _ change: (inout PostgreSQLSettings) -> Void = { _ in }
    ) throws -> PostgreSQLConnection {
        var settings = cluster.settings
        if let tls {
            settings.tls = tls
            settings.host = host
        }
        change(&settings)
        return try PostgreSQLConnection(settings)
    }

    @Test func `works with the password, on every way`() throws {
        let root = cluster.certificate
        #expect(try connect().number("SELECT 1") == 1)
        #expect(try connect(.disable).number("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == 0)
        for tls in [.require, .verifyAuthority(rootCertificate: root), .verifyFull(rootCertificate: root)]
            as [PostgreSQLSettings.TLS]
        {
            let connection = try connect(tls)
            #expect(try connection.number("SELECT ssl::int FROM pg_stat_ssl WHERE pid = pg_backend_pid()") == 1)
            // Records of TLS and libpq's buffer end at different places.
            let sizes = [1, 8_191, 8_192, 16_384, 100_000, 3_000_000]
            for size in sizes {
                let text = try connection.first("SELECT repeat('x', ?::int)", .integer(size)) { $0.text(0) }
                #expect(text?.utf8.count == size)
            }
            let rows = "SELECT repeat('x', n) FROM generate_series(1, 3000) n"
            #expect(try connection.all(rows) { $0.text(0) }.count == 3_000)
        }
    }

    @Test func `with a wrong password is refused, and the error does not hold it`() throws {
        for password in ["wrong secret", ""] {
            let error = #expect(throws: PostgreSQLError.self) {
                try connect(.require) { $0.password = Array(password.utf8) }
            }
            if !password.isEmpty {
                #expect(error?.kind == .refusedCredentials)
                #expect(error?.state == "28P01")
                #expect(error?.message == "password authentication failed for user \"gradecast\"")
            }
            #expect(error?.endsConnection == true)
            #expect("\(String(reflecting: error))".contains("wrong secret") == false)
        }
        let error = #expect(throws: PostgreSQLError.self) { try connect { $0.password = [1, 0, 2] } }
        #expect(error?.kind == .misuse)
    }

    @Test func `to an unknown database, or as an unknown user, is refused`() throws {
        let database = #expect(throws: PostgreSQLError.self) { try connect { $0.database = "missing" } }
        #expect(database?.kind == .unknownDatabase)
        #expect(database?.message == "database \"missing\" does not exist")
        let user = #expect(throws: PostgreSQLError.self) { try connect { $0.user = "missing" } }
        #expect(user?.kind == .refusedCredentials)
    }

    @Test func `beyond the connections that are allowed is refused`() throws {
        try connect().execute("CREATE ROLE limited LOGIN PASSWORD 'x' CONNECTION LIMIT 0")
        let error = #expect(throws: PostgreSQLError.self) {
            try connect {
                $0.user = "limited"
                $0.password = Array("x".utf8)
            }
        }
        #expect(error?.kind == .shortage)
        #expect(error?.state == "53300")
    }

    @Test func `where no server is, or without a name, fails`() throws {
        for name in [\PostgreSQLSettings.host, \.database, \.user] {
            let error = #expect(throws: PostgreSQLError.self) { try connect { $0[keyPath: name] = "" } }
            #expect(error?.kind == .misuse)
        }
        let socket = #expect(throws: PostgreSQLError.self) { try connect { $0.host = "/nonexistent" } }
        #expect(socket?.kind == .connectionLost)
        let port = #expect(throws: PostgreSQLError.self) { try connect(.require) { $0.port = 1 } }
        #expect(port?.kind == .connectionLost)
    }

    @Test func `fails when the certificate is foreign, for another host, or over`() throws {
        let foreign = try TestCertificate(serial: 2, kind: .p256)
        for tls in [
            .verifyAuthority(rootCertificate: foreign.certificate), .verifyFull(rootCertificate: foreign.certificate),
            .verifyFull(rootCertificate: "/nonexistent"),
        ] as [PostgreSQLSettings.TLS] {
            let error = #expect(throws: PostgreSQLError.self) { try connect(tls) }
            #expect(error?.kind == .connectionLost)
        }
        let root = cluster.certificate
        let host = #expect(throws: PostgreSQLError.self) {
            try connect(.verifyFull(rootCertificate: root), host: "127.0.0.1")
        }
        #expect(host?.message.contains("does not match host name") == true)
        #expect(try connect(.verifyAuthority(rootCertificate: root), host: "127.0.0.1").number("SELECT 1") == 1)

        let expired = try TestCertificate(serial: 3, kind: .p256, isExpired: true)
        try cluster.restart(showing: expired)
        let over = #expect(throws: PostgreSQLError.self) {
            try connect(.verifyFull(rootCertificate: expired.certificate))
        }
        #expect(over?.message.contains("certificate verify failed") == true)
        #expect(try connect(.require).number("SELECT 1") == 1)
        try cluster.restart(showing: TestCertificate(serial: 4, kind: .p256))
        #expect(try connect(.verifyFull(rootCertificate: root)).number("SELECT 1") == 1)
    }
}
