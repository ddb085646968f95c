import Forms
import GradingKit
import Testing

@Suite struct FormTests {
    @Test func `everything wrong is found in one pass`() throws {
        var form = Form(try JSON.parse(#"{"title":5,"size":11,"kind":"x","other":1}"#), at: "/a")
        _ = form.text("title")
        _ = form.integer("size", in: 1...10)
        _ = form.choice("kind", of: Language.self)
        _ = form.flag("open", required: true)
        #expect(throws: FaultList.self) { try form.finish() }
        #expect(
            form.faults.faults.map { "\($0.path) \($0.code)" } == [
                "/a/kind out_of_range", "/a/open missing_field", "/a/other unknown_field", "/a/size out_of_range",
                "/a/title wrong_type",
            ])
    }

    @Test func `null is nothing, and clears`() throws {
        var form = Form(try JSON.parse(#"{"a":null}"#))
        let (text, clears, hasA, hasB) = (form.text("a"), form.clears("a"), form.has("a"), form.has("b"))
        #expect(text == nil)
        #expect(clears)
        #expect(hasA)
        #expect(!hasB)
        #expect(throws: Never.self) { try form.finish() }
    }

    @Test(arguments: ["[]", "null", "\"x\"", "1"])
    func `anything but an object is refused`(body: String) throws {
        var form = Form(try JSON.parse(body))
        #expect(throws: FaultList([Fault(.wrongType, at: "", ["expected": "object"])])) { try form.finish() }
    }

    @Test func `an integer is read from its text alone`() throws {
        var form = Form(try JSON.parse(#"{"a":1.0,"b":99999999999999999999,"c":7}"#))
        let read = ["a", "b", "c"].map { form.integer($0, in: 0...9) }
        #expect(read == [nil, nil, 7])
        #expect(form.faults.faults.map(\.code) == [.wrongType, .wrongType])
    }

    @Test func `a name with a slash is escaped in the path`() throws {
        var form = Form(["a/b": 1])
        #expect(throws: FaultList([Fault(.unknownField, at: "/a~1b")])) { try form.finish() }
    }

    @Test(arguments: [
        "Zoë", "李雷", "Nguyễn Văn A", "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "👩\u{200D}💻",
        "می\u{200C}خواهم", "Z\u{335}\u{321}oe", "बच्चे",
    ])
    func `a line may be a name in any script`(name: String) {
        var form = Form(["name": .string(name)])
        #expect(form.line("name", max: 100) == name)
        #expect(form.faults.isEmpty)
    }

    @Test(arguments: [
        "Ada\u{202E}nimda", "Ada\u{2067}", "Ada\u{0}", "Ada\nLovelace", "Ada\u{2028}Lovelace", "Ad\u{200B}a",
        "\u{3164}", "\u{2800}",
        "\u{200D}\u{FE0F}", "\u{FEFF}Ada", "\u{200F}Ada", "Z" + String(repeating: "\u{335}\u{321}", count: 5),
        "\u{301}",
    ])
    func `a line that would not show as it reads is refused`(name: String) {
        var form = Form(["name": .string(name)])
        #expect(form.line("name", max: 100) == nil)
        #expect(form.faults.faults.map(\.code) == ["text_invalid"])
    }

    @Test(arguments: ["", " \n\t", "\u{2800}\n\u{200B}"])
    func `text of several lines without anything to see is missing`(text: String) {
        var form = Form(["text": .string(text)])
        #expect(form.lines("text", max: 100) == nil)
        #expect(form.faults.faults.map(\.code) == ["missing_field"])
    }

    @Test func `text of several lines carries no towers of marks either`() {
        var form = Form(["text": .string("a\nb" + String(repeating: "\u{301}", count: 9))])
        #expect(form.lines("text", max: 100) == nil)
        #expect(form.faults.faults.map(\.code) == ["text_invalid"])
    }
}
