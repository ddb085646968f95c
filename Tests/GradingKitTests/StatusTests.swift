import Testing

@testable import GradingKit

@Suite struct StatusTests {
    @Test(arguments: ["a", "_", "P", "missing", "s1", "sixteen_letters_", "superseded"])
    func `a name is read as it is written`(name: String) {
        #expect(Status(rawValue: name)?.rawValue == name)
    }

    @Test(arguments: ["", "1a", "seventeen_letters", "é", "a b", "a\0", "-", String(repeating: "a", count: 1_000)])
    func `what is no name of up to 16 letters is no status`(name: String) {
        #expect(Status(rawValue: name) == nil)
    }

    @Test func `statuses are told apart by all of their letters`() {
        let names = ["sixteen_letters_", "sixteen_letters0", "sixteen_", "sixteen", "Sixteen"]
        #expect(Set(names.compactMap { Status(rawValue: $0) }).count == names.count)
        #expect(Set(Status.standard.map(\.rawValue)).count == 7)
        #expect(Status(rawValue: "withdrawn") == .withdrawn)
    }

    @Test func `a shape keeps the labels of statuses through the wire`() throws {
        let late = try #require(Status(rawValue: "late"))
        let label = LocalizedText("Late", fr: "En retard", zh: "迟交")
        let kind = KindShape(
            Kind("item"), LocalizedText(verbatim: "Item"), statuses: [.excused, late], statusLabels: [late: label],
            fields: [])
        var writer = JSONWriter()
        SchemeDescription.write(RecordShape(kinds: [kind]), to: &writer)
        let read = try RecordShape(WireValue(parsing: writer.bytes)).kinds[1]
        #expect(read.statuses == [.excused, late])
        #expect(read.statusLabels == [late: label])
    }
}
