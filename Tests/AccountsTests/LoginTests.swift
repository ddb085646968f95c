import Accounts
import GradingKit
import Testing

@Suite struct LoginTests {
    @Test(arguments: [
        ("alice", "alice"), ("ALICE", "alice"), ("ａｌｉｃｅ", "alice"), ("a.b-c_d+e@example.org", "a.b-c_d+e@example.org"),
        ("José", "jose\u{301}".precomposed), ("李雷", "李雷"), ("7", "7"), ("ﬁn", "fin"),
    ])
    func `a login has one form`(typed: String, text: String) throws {
        #expect(try Login(typed).text == text)
    }

    @Test(arguments: ["a b", ".a", "a\u{0}", "a\u{200B}b", "a\u{202E}b", "<a>", "a/b", "\u{301}a", "@"])
    func `what no login has is refused`(typed: String) {
        #expect(throws: FaultList([Fault("login_invalid")])) { try Login(typed) }
    }

    @Test func `nothing and too much are refused`() {
        #expect(throws: FaultList([Fault(.missingField)])) { try Login("") }
        #expect(throws: FaultList.self) { try Login(String(repeating: "a", count: 129)) }
        #expect(throws: FaultList.self) { try Login(String(repeating: "\u{FDFA}", count: 128)) }
        #expect(throws: Never.self) { try Login(String(repeating: "a", count: 128)) }
    }
}

extension String {
    fileprivate var precomposed: String { "jos\u{E9}" }
}
