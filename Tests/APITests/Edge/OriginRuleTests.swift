import HTTP
import Testing

@testable import API

@Suite struct OriginRuleTests {
    private let rule = OriginRule(others: ["https://app.example"])

    private func arrival(_ host: String?, isSecure: Bool = false) -> Arrival {
        Arrival(client: .unspecified, isSecure: isSecure, host: host)
    }

    @Test(arguments: [
        [], ["http://grades.example"], ["https://grades.example"], ["http://localhost"], ["https://app.example"],
    ])
    func `the server's own pages and the listed ones are welcome`(origins: [String]) {
        #expect(rule.allowsLive(origins, for: arrival("grades.example")))
    }

    @Test(arguments: [
        ["null"], [""], ["http://grades.example:8080"], ["http://evil.example"], ["https://app.example/"],
        ["HTTPS://app.example"], ["https://app.example.evil"], ["https://grades.example", "https://grades.example"],
        ["http://localhost:3000"], ["grades.example"],
    ])
    func `everybody else is not`(origins: [String]) {
        #expect(!rule.allowsLive(origins, for: arrival("grades.example")))
    }

    @Test func `localhost means the same port`() {
        #expect(rule.allowsLive(["http://localhost:8080"], for: arrival("127.0.0.1:8080")))
        #expect(rule.allowsLive(["http://localhost:8080"], for: arrival("[::1]:8080")))
        #expect(!rule.allowsLive(["http://localhost:8081"], for: arrival("127.0.0.1:8080")))
        #expect(!rule.allowsLive(["http://localhost"], for: arrival(nil)))
    }

    @Test func `a page that came unencrypted is not the server's own where clients speak TLS`() {
        for origin in ["http://grades.example", "http://localhost"] {
            #expect(!rule.allowsLive([origin], for: arrival("grades.example", isSecure: true)))
        }
        #expect(!rule.allows("http://grades.example", for: arrival("grades.example", isSecure: true)))
        #expect(rule.allows("https://grades.example", for: arrival("grades.example", isSecure: true)))
        #expect(rule.allowsLive(["https://localhost"], for: arrival("grades.example", isSecure: true)))
    }
}
