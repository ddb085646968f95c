import Testing
import XML

@Suite struct XMLReaderTests {
    private func read(_ text: String) -> XMLElement? { XMLReader.read(Array(text.utf8)) }

    @Test func `elements come with their namespace, text and children`() throws {
        let root = try #require(
            read("<c:a xmlns:c='urn:c'><c:b>x &amp; <![CDATA[<y>]]></c:b><b>other</b><c:b>last</c:b></c:a>"))
        #expect(root.namespace == "urn:c" && root.name == "a" && root.children.count == 3)
        #expect(root.first("b")?.text == "x & <y>")
        #expect(root.children[1].namespace == "" && root.children[1].text == "other")
        #expect(root.first("missing") == nil)
    }

    @Test func `text around a comment is one`() { #expect(read("<a>one<!-- x -->two</a>")?.text == "onetwo") }

    @Test(arguments: [
        "", "x", "<a>", "<a></b>", "<a/><b/>", "<a>&b;</a>", "<a>\u{0}</a>", "<c:a/>", "<a b='1' b='2'/>",
        "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>",
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'><a/>",
    ])
    func `what is no whole document, or has a type, is refused`(text: String) { #expect(read(text) == nil) }

    @Test func `entities do not grow`() {
        let levels = (1...9).map { "<!ENTITY e\($0) '&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);&e\($0 - 1);'>" }
        #expect(read("<!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxx'>\(levels.joined())]><a>&e9;</a>") == nil)
    }

    @Test func `depth, number and length are bounded`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(read(nested(XMLReader.maximumDepth)) != nil && read(nested(XMLReader.maximumDepth + 1)) == nil)
        func many(_ count: Int) -> String { "<a>\(String(repeating: "<b/>", count: count - 1))</a>" }
        #expect(read(many(XMLReader.maximumCount)) != nil && read(many(XMLReader.maximumCount + 1)) == nil)
        func long(_ count: Int) -> String { "<a>\(String(repeating: "x", count: count - 7))</a>" }
        #expect(read(long(XMLReader.maximumLength)) != nil && read(long(XMLReader.maximumLength + 1)) == nil)
    }

    @Test func `bytes that are not the text they say they are end the reading`() {
        #expect(XMLReader.read(Array("<a>".utf8) + [0xFF, 0xFE] + Array("</a>".utf8)) == nil)
    }
}
