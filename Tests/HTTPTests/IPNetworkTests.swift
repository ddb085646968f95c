import Testing

@testable import HTTP

@Suite struct `An IP network` {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", "192.0.2.2"), ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
        ("192.0.2.0/25", "192.0.2.127", "192.0.2.128"), ("192.0.2.4/32", "192.0.2.4", "192.0.2.5"),
        ("128.0.0.0/1", "255.0.0.1", "127.255.255.255"), ("2001:db8::/32", "2001:db8:ffff::1", "2001:db9::"),
        ("2001:db8::/64", "2001:db8::ffff:1", "2001:db8:0:1::"),
        ("2001:db8::/65", "2001:db8::1", "2001:db8::8000:0:0:0"),
        ("::1", "::1", "::2"), ("fe80::/10", "febf::1", "fec0::"), ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"),
        ("8000::/1", "ffff::", "127.0.0.1"),
    ]) func `contains its addresses and no others`(text: String, inside: String, outside: String) throws {
        let network = try #require(IPNetwork(text))
        #expect(network.contains(try #require(IPAddress(inside))))
        #expect(!network.contains(try #require(IPAddress(outside))))
        #expect(IPNetwork(network.description) == network)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.1/8", "10/8",
        "0.0.0.0/0", "::/0", "::/129", "2001:db8::1/32", "10.0.0.0/8/8", "localhost", "10.0.0.0/255.0.0.0", " 10.0.0.1",
        "10.0.0.1:80", "[::1]",
    ]) func `is not made from anything else`(text: String) {
        #expect(IPNetwork(text) == nil)
    }
}
