import HTTP
import Testing

@testable import Outbound

@Suite struct OutboundPolicyTests {
    private let open = OutboundPolicy()
    private let inside = OutboundPolicy(allowing: ["127.0.0.0/8", "10.0.0.0/8"].compactMap { IPNetwork($0) })

    @Test(arguments: ["https://login.example.org", "HTTPS://login.example.org:8443/a?b=c", "https://127.0.0.1"])
    func `a request goes to https`(url: String) { #expect(open.allows(url: url)) }

    @Test(arguments: [
        "http://login.example.org", "http://127.0.0.1", "http://localhost", "ftp://a.example", "file:///etc/passwd",
        "gopher://a.example", "", "https", "https://a.example/ b", "https://a.example/\r\nX: y", "https://é.example",
        "https://", "https://a@b.example", "https://a.example\\@b.example",
    ])
    func `and nowhere else`(url: String) { #expect(!open.allows(url: url)) }

    @Test func `a number inside the own network shows without a request, a name does not`() {
        for url in ["https://127.0.0.1", "https://10.1.2.3:8443/x", "https://[::1]/", "http://127.0.0.1"] {
            #expect(!open.mayAllow(url: url), "\(url)")
        }
        #expect(open.mayAllow(url: "https://1.1.1.1/x") && open.mayAllow(url: "https://localhost"))
        #expect(inside.mayAllow(url: "https://10.1.2.3") && inside.mayAllow(url: "http://127.0.0.1:8080"))
    }

    @Test func `plain http is for this machine, where that is allowed`() {
        #expect(inside.allows(url: "http://127.0.0.1:8080/realm") && inside.allows(url: "http://127.1.2.3"))
        for url in [
            "http://10.0.0.1", "http://127.0.0.1.example.org", "http://127.0.0.1@a.example", "http://a@127.0.0.1",
            "http://127.0.0.1:80@a.example", "http://127.0.0.1:80\\@a.example",
            "http://localhost", "http://[::1]:80",
        ] {
            #expect(!inside.allows(url: url), "\(url)")
        }
        #expect(OutboundPolicy(allowing: [IPNetwork("::1")].compactMap { $0 }).allows(url: "http://[::1]:80/x"))
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1",
        "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fc00::1", "fd12::1", "fe80::1", "ff02::1",
    ])
    func `no connection is opened to an address that is not public`(address: String) throws {
        #expect(try !open.allows(#require(IPAddress(address))))
    }

    @Test(arguments: ["1.1.1.1", "172.32.0.1", "140.82.121.4", "2606:4700::1111"])
    func `a public address is fine`(address: String) throws { #expect(try open.allows(#require(IPAddress(address)))) }

    @Test func `a network that is allowed is, and no other`() throws {
        #expect(try inside.allows(#require(IPAddress("10.1.2.3"))))
        #expect(try !inside.allows(#require(IPAddress("192.168.1.1"))))
    }
}
