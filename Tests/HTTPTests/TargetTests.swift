import Testing

@testable import HTTP

@Suite struct `A target` {
    @Test(arguments: [
        ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]), ("/a%2Fb/%C3%A9", ["a/b", "é"]),
        ("/a+b", ["a+b"]), ("/..", [".."]), ("/a?b/c", ["a"]), ("*", []),
    ]) func `has decoded segments`(text: String, segments: [String]) throws {
        #expect(try Target(text).segments == segments)
    }

    @Test func `has query items in order, the first of a name counts`() throws {
        let target = try Target("/?a=1&b=x+y%2B&a=2&&c&=d&e==")
        #expect(target.query.map(\.name) == ["a", "b", "a", "c", "", "e"])
        #expect(target.query("a") == "1")
        #expect(target.query("b") == "x y+")
        #expect(target.query("c")?.isEmpty == true)
        #expect(target.query("e") == "=")
        #expect(target.query("f") == nil)
    }

    @Test func `equals one in the same words`() throws {
        #expect(try Target("/a?b") == Target("/a?b"))
        #expect(try Target("/a?b").hashValue == Target("/a?b").hashValue)
        #expect(try Target("/a") != Target("/%61"))
    }

    @Test func `keeps its text`() throws {
        #expect(try Target("/a%20b?c").description == "/a%20b?c")
    }

    @Test func `what is encoded for a query is read from it again`() throws {
        let text = "a b&c=d+é%/?#~-._"
        #expect(text.percentEncoded == "a%20b%26c%3Dd%2B%C3%A9%25%2F%3F%23~-._")
        #expect(try Target("/x?y=\(text.percentEncoded)").query("y") == text)
    }
}
