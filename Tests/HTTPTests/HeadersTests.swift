import Testing

@testable import HTTP

@Suite struct `Header fields` {
    @Test func `are found without regard to case`() {
        let headers: Headers = ["Content-Type": "text/plain", "X-A": "1", "x-a": "2"]
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["X-a"] == "1")
        #expect(headers.values("X-A") == ["1", "2"])
        #expect(headers["Content"] == nil)
        #expect(headers.count == 3)
    }

    @Test func `find members of lists`() {
        let headers: Headers = ["Connection": "keep-alive, Upgrade", "connection": "\tx ,"]
        #expect(headers.hasToken("upgrade", in: "Connection"))
        #expect(headers.hasToken("X", in: "Connection"))
        #expect(!headers.hasToken("grade", in: "Connection"))
    }

    @Test func `cannot break out of their line`() {
        var headers: Headers = ["Location": "/a\r\nSet-Cookie: b"]
        headers.append("Bad Name", "x")
        headers.append("", "x")
        #expect(headers.all.map(\.value) == ["/a  Set-Cookie: b"])
    }

    @Test(arguments: [
        ("", []), (" , ,", []), ("a", ["a"]), ("\t\"a\" ,W/\"b c\",, *\t", ["\"a\"", "W/\"b c\"", "*"]),
    ]) func `are lists of members`(value: String, members: [String]) {
        #expect(ListMembers(of: value).map(String.init) == members)
    }

    @Test func `take values written on the spot`() {
        var headers: Headers = ["A": "1"]
        headers.set("a") { $0.append(decimal: 22) }
        headers.append("B") { $0.append(contentsOf: "x\r\ny".utf8) }
        #expect(headers == ["A": "22", "B": "x  y"])
    }

    @Test func `can be replaced and removed`() {
        var headers: Headers = ["A": "1", "B": "2", "a": "3"]
        headers.set("A", "4")
        #expect(headers.all.map(\.name) == ["B", "A"])
        headers.remove("b")
        #expect(headers == ["a": "4"])
    }
}
