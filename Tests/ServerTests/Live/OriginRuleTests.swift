import Testing

@testable import Server

@Suite struct OriginRuleTests {
    private let rule = OriginRule(others: ["https://app.example"])

    @Test(arguments: [
        [], ["http://grades.example"], ["https://grades.example"], ["http://localhost"], ["https://app.example"],
    ])
    func `the server's own pages and the listed ones are welcome`(origins: [String]) {
        #expect(rule.allows(origins, host: "grades.example"))
    }

    @Test(arguments: [
        ["null"], [""], ["http://grades.example:8080"], ["http://evil.example"], ["https://app.example/"],
        ["HTTPS://app.example"], ["https://app.example.evil"], ["https://grades.example", "https://grades.example"],
        ["http://localhost:3000"], ["grades.example"],
    ])
    func `everybody else is not`(origins: [String]) {
        #expect(!rule.allows(origins, host: "grades.example"))
    }

    @Test func `localhost means the same port`() {
        #expect(rule.allows(["http://localhost:8080"], host: "127.0.0.1:8080"))
        #expect(!rule.allows(["http://localhost:8081"], host: "127.0.0.1:8080"))
        #expect(!rule.allows(["http://localhost"], host: nil))
    }
}
