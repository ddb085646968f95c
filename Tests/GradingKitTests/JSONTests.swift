import GradingKit
import Testing

@Suite struct JSONTests {
    @Test(arguments: ["13.10", "-0", "1E+5", "0.10000000000000000000000000001"])
    func `a number keeps the text it was written with`(number: String) throws {
        #expect(try JSON.parse(number) == .number(number))
        #expect(try JSON.parse("[\(number)]").text == "[\(number)]")
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\":1,}", "01", "+1", ".5", "1.", "1e", "NaN", "Infinity", "-", "tru", "\"\u{1}\"",
        "\"\\x\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "{\"a\":1,\"a\":2}", "1 2", "{a:1}", "\"",
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(text) }
    }

    @Test func `bad UTF-8 is refused`() {
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([0x22, 0xC0, 0xAF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse([0x22, 0x5C, 0x6E, 0xED, 0xA0, 0x80, 0x22]) }
    }

    @Test func `nesting is bounded`() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSON.parse(deep) }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse("[\(deep)]") }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse(String(repeating: "[", count: 1_000_000)) }
    }

    @Test func `a duplicate name is found among many`() {
        let members = (0..<100).map { "\"n\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSON.parse("{\(members)}") }
        #expect(throws: JSONSyntaxError.self) { try JSON.parse("{\(members),\"n40\":1}") }
    }

    @Test func `text survives a round trip`() throws {
        let text = "é 𝄞 \" \\ / \u{8} \u{c} \n \r \t \u{1}"
        #expect(try JSON.parse(JSON.string(text).bytes) == .string(text))
        #expect(try JSON.parse("\"\\u00e9\\ud834\\udd1e\\/\"") == "é𝄞/")
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"c":"}\\\"{","d":[1,{"e":[]}]},"f" : [ 2 ],"g":-1.5e3}"#, ["a", "b", "f", "g"]),
        (#" { "a" : null , "b" : "\\u005d" , "c" : true } "#, ["a", "b", "c"]),
        ("{}", []),
    ])
    func `one member of an object is what it is in the whole object`(text: String, names: [String]) throws {
        let whole = try JSON.parse(text)
        for name in names { #expect(try JSON.member(name, of: Array(text.utf8)) == whole[name]) }
        #expect(try JSON.member("none", of: Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        "", "[]", "1", "{", "{\"a\"", "{\"a\":", "{\"a\":[", "{\"a\":]}", "{\"a\":\"", "{\"a\":\"\\", "{\"a\":1",
        "{\"a\":1 2}",
    ])
    func `a member of what is not an object is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON.member("none", of: Array(text.utf8)) }
    }

    @Test func `the writer places commas`() {
        var writer = JSONWriter()
        writer.object {
            $0.member("a", 1)
            $0.member("b") { $0.array { array in for index in 0..<3 { array.integer(index) } } }
            $0.member("c", JSON.object(JSONObject()))
            $0.member("d", nil as String?)
        }
        #expect(writer.text == #"{"a":1,"b":[0,1,2],"c":{},"d":null}"#)
    }
}
