import Testing

@testable import HTTP

@Suite struct `An authority` {
    @Test(
        arguments: [
            ("grades.example.org", "grades.example.org", nil), ("Grades.Example.ORG:8443", "grades.example.org", 8443),
            ("192.0.2.1:80", "192.0.2.1", 80), ("[::1]", "::1", nil), ("[2001:DB8:0::1]:8080", "2001:db8::1", 8080),
            ("localhost:0", "localhost", 0),
        ] as [(String, String, UInt16?)]) func `is a host and perhaps a port`(text: String, name: String, port: UInt16?)
    {
        #expect(Authority(text)?.name == name)
        #expect(Authority(text)?.port == port)
    }

    @Test(arguments: [
        "", ":80", "a:", "a:x", "a:65536", "a:+1", "a:80:80", "[::1", "::1", "[::1]80", "[a]", "[192.0.2.1]", "a b",
        "a/b",
        "me@a", "a,b", "a]", String(repeating: "a", count: 256),
    ]) func `is nothing else`(text: String) {
        #expect(Authority(text) == nil)
    }

    @Test func `knows this machine`() {
        for text in ["localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8080"] {
            #expect(Authority(text)?.isLoopback == true, "\(text)")
        }
        for text in ["localhost.example", "128.0.0.1", "0.0.0.0", "[::]", "127.0.0.1.example.org"] {
            #expect(Authority(text)?.isLoopback == false, "\(text)")
        }
    }
}
