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

    @Test func `are added to others as they are`() {
        var headers: Headers = ["A": "1"]
        headers.append(contentsOf: ["B": "2", "C": ""])
        headers.append(contentsOf: [:])
        headers.append("D", "4")
        #expect(headers == ["A": "1", "B": "2", "C": "", "D": "4"])
        #expect(String(decoding: headers.wire, as: UTF8.self) == "A: 1\r\nB: 2\r\nC: \r\nD: 4\r\n")
    }

    @Test func `of a request are added without its target`() throws {
        var parser = RequestParser()
        parser.feed(Array("GET /path HTTP/1.1\r\nHost: h\r\nX-A:  1 \r\n\r\n".utf8))
        guard case .request(let head, _) = try parser.next() else { throw RequestFault.requestLine }
        var headers: Headers = ["A": "1"]
        headers.append(contentsOf: head.headers)
        #expect(headers == ["A": "1", "Host": "h", "X-A": "1"])
    }

    @Test func `are bytes where no text is wanted`() {
        let headers: Headers = ["A": "1", "b": "22", "B": "3"]
        #expect(headers.bytes(of: "B")?.elementsEqual("22".utf8) == true)
        #expect(headers.bytes(of: "C") == nil)
    }

    @Test func `can be replaced and removed`() {
        var headers: Headers = ["A": "1", "B": "2", "a": "3"]
        headers.set("A", "4")
        #expect(headers.all.map(\.name) == ["B", "A"])
        headers.remove("b")
        #expect(headers == ["a": "4"])
    }
}
