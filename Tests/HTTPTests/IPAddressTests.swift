import Testing

@testable import HTTP

@Suite struct `An IP address` {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("fe80::1:0:0:2", "fe80::1:0:0:2"), ("1:0:2::", "1:0:2::"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("1:0:3:4:5:6:7:8", "1:0:3:4:5:6:7:8"),
    ]) func `is read and written in its canonical form`(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(arguments: [
        "", "1", "1.2.3", "1.2.3.4.5", "256.0.0.1", "01.2.3.4", "1.2.3.+4", ":", ":::", "1::2::3", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "12345::", "g::", "::1%eth0", "[::1]", "1:2:3:4:5:6:7::8", "::1.2.3",
    ]) func `is not made from anything else`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func `knows its network and its machine`() {
        #expect(IPAddress("192.0.2.1")?.network == IPAddress("192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.site == nil)
        #expect(IPAddress("2001:db8:1:2::1")?.site == IPAddress("2001:db8:1::"))
        #expect(IPAddress("2001:db8:1:ffff::1")?.site == IPAddress("2001:db8:1:2::1")?.site)
        #expect(IPAddress("2001:db8:2::1")?.site != IPAddress("2001:db8:1::1")?.site)
        #expect(IPAddress("2001:db8::1")?.network == IPAddress("2001:db8::ffff:1")?.network)
        #expect(IPAddress("127.8.0.1")?.isLoopback == true)
        #expect(IPAddress("::1")?.isLoopback == true)
        #expect(IPAddress("128.0.0.1")?.isLoopback == false)
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
    }
}
