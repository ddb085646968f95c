import Testing

@testable import HTTP

@Suite struct `Forwarding headers` {
    private static let proxies = ["10.0.0.0/8", "127.0.0.1", "2001:db8:cafe::/48"].compactMap { IPNetwork($0) }

    private func read(_ fields: [(String, String)], from peer: String = "127.0.0.1") throws -> Forwarding {
        var headers = Headers()
        for (name, value) in fields { headers.append(name, value) }
        return try Forwarding(headers, from: try #require(IPAddress(peer)), trusting: Self.proxies)
    }

    private func client(_ name: String, _ value: String) throws -> String {
        try read([(name, value)]).client.description
    }

    @Test(arguments: [
        ("198.51.100.7", "198.51.100.7"), ("198.51.100.7:4711", "198.51.100.7"), ("2001:db8::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"), ("[2001:db8::1]:443", "2001:db8::1"), ("::ffff:198.51.100.7", "198.51.100.7"),
        // The client wrote the left part itself.
        ("1.1.1.1, 198.51.100.7", "198.51.100.7"), ("127.0.0.1, 198.51.100.7", "198.51.100.7"),
        ("garbage\"; x, 198.51.100.7", "198.51.100.7"), ("198.51.100.9, 198.51.100.7, 10.1.2.3", "198.51.100.7"),
        ("198.51.100.7 ,\t10.1.2.3", "198.51.100.7"), ("198.51.100.7, 10.1.2.3, 2001:db8:cafe::2", "198.51.100.7"),
        (",, 198.51.100.7,", "198.51.100.7"),
        // All of them are trusted: the leftmost asked.
        ("10.0.0.1, 10.0.0.2", "10.0.0.1"), ("unknown", "127.0.0.1"), ("_hidden, 10.0.0.9", "10.0.0.9"),
        ("", "127.0.0.1"),
    ]) func `name the rightmost address that is no trusted proxy`(value: String, expected: String) throws {
        #expect(try client("X-Forwarded-For", value) == expected)
    }

    @Test(arguments: [
        ("for=198.51.100.7", "198.51.100.7"), ("For=\"198.51.100.7:80\";Proto=https;by=10.0.0.1", "198.51.100.7"),
        ("for=\"[2001:db8::1]:4711\"", "2001:db8::1"), ("for=1.1.1.1, for=198.51.100.7", "198.51.100.7"),
        ("for=198.51.100.7;host=a, for=10.0.0.1", "198.51.100.7"), ("for=\"_x:_y\"", "127.0.0.1"),
        ("for=unknown, for=10.0.0.7", "10.0.0.7"), ("proto=https", "127.0.0.1"),
        (" , for=198.51.100.7 ,", "198.51.100.7"),
        ("for=\"198.51.\\100.7\"", "198.51.100.7"), ("for=\"a, for=10.0.0.1\", for=198.51.100.7", "198.51.100.7"),
    ]) func `are read in the standard form, too`(value: String, expected: String) throws {
        #expect(try client("Forwarded", value) == expected)
    }

    @Test(arguments: [
        "for", "for=", "=1.1.1.1", "for =1.1.1.1", "for=1.1.1.1;", "for=1.1.1.1 for=2.2.2.2", "for=[2001:db8::1]",
        "for=\"1.1.1.1", "for=\"1.1.1.1\\", "for=\"1.1.1.1\"x", "for=1.1.1.1;for=2.2.2.2", "for=1.1.1.1;;proto=https",
        "for=\"1.1.1.1, for=198.51.100.7", "for=x;by=\", for=\"[2001:db8::1]\"", "for=example.org", "for=1.2.3",
        "for=_",
        "for=1.1.1.1;proto=gopher", "for=1.1.1.1;host=\"a b\"", "for=\"1.1.1.1:\"", "for=\"1.1.1.1:123456\"",
        "for=\"[1.1.1.1]\"", "for=\"2001:db8::1:\"",
    ]) func `in the standard form are refused when malformed`(value: String) {
        #expect(throws: Forwarding.Fault.malformed(field: "Forwarded")) { try read([("Forwarded", value)]) }
    }

    @Test(arguments: [
        ("X-Forwarded-For", "nobody"), ("X-Forwarded-For", "1.2.3"), ("X-Forwarded-For", "1.1.1.1, 999.1.1.1"),
        ("X-Forwarded-For", "fe80::1%eth0"), ("X-Forwarded-For", "[::1"), ("X-Forwarded-For", "1.1.1.1:x"),
        ("X-Forwarded-For", "_"), ("X-Forwarded-For", "1.1.1.1, x, 10.0.0.1"), ("X-Forwarded-Proto", "gopher"),
        ("X-Forwarded-Proto", "https http"), ("X-Forwarded-Host", "a b"), ("X-Forwarded-Host", "me@a"),
        ("X-Forwarded-Host", "a/b"),
    ]) func `are refused when malformed`(name: String, value: String) {
        #expect(throws: Forwarding.Fault.malformed(field: name)) { try read([(name, value)]) }
    }

    @Test func `tell scheme and host of the client's own hop`() throws {
        let each = try read([
            ("X-Forwarded-For", "1.1.1.1, 198.51.100.7, 10.0.0.1"), ("X-Forwarded-Proto", "http, https, http"),
            ("X-Forwarded-Host", "evil.example, grades.example, inner"),
        ])
        #expect(each.isSecure == true && each.host == "grades.example")
        let last = try read([
            ("X-Forwarded-For", "1.1.1.1, 198.51.100.7"), ("X-Forwarded-Proto", "HTTPS"),
            ("X-Forwarded-Host", "grades.example:8443"),
        ])
        #expect(last.isSecure == true && last.host == "grades.example:8443")
        let several = try read([("X-Forwarded-Proto", "http"), ("X-Forwarded-Proto", "wss")])
        #expect(several.isSecure == true && several.client == IPAddress("127.0.0.1"))
        let standard = try read([("Forwarded", "for=1.1.1.1;proto=http, for=198.51.100.7;proto=https;host=\"a:1\"")])
        #expect(standard.isSecure == true && standard.host == "a:1")
        #expect(try read([]).isSecure == nil)
    }

    @Test func `of both kinds have to agree`() throws {
        let both = try read([
            ("Forwarded", "for=198.51.100.7;proto=https"), ("X-Forwarded-For", "198.51.100.7"),
            ("X-Forwarded-Host", "a"),
        ])
        #expect(both.client == IPAddress("198.51.100.7") && both.isSecure == true && both.host == "a")
        // A client's own `Forwarded`, which a proxy that knows the other kind alone lets pass.
        let spoofed = [("Forwarded", "for=203.0.113.9"), ("X-Forwarded-For", "198.51.100.7")]
        #expect(throws: Forwarding.Fault.contradiction) { try read(spoofed) }
        let scheme = [("Forwarded", "for=198.51.100.7;proto=https"), ("X-Forwarded-For", "198.51.100.7")]
        #expect(throws: Forwarding.Fault.contradiction) { try read(scheme + [("X-Forwarded-Proto", "http")]) }
    }

    @Test func `are bounded however long they are`() throws {
        let chain = Array(repeating: "10.0.0.1", count: Forwarding.mostHops + 1).joined(separator: ", ")
        #expect(throws: Forwarding.Fault.tooManyHops) { try read([("X-Forwarded-For", chain)]) }
        let long = Array(repeating: "1.1.1.1", count: 4_000).joined(separator: ",") + ",198.51.100.7"
        #expect(try read([("X-Forwarded-For", long)]).client == IPAddress("198.51.100.7"))
        let standard = Array(repeating: "for=1.1.1.1", count: 2_500).joined(separator: ",") + ",for=198.51.100.7"
        #expect(try read([("Forwarded", standard)]).client == IPAddress("198.51.100.7"))
    }
}
