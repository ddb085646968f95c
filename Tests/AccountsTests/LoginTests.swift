import Accounts
import GradingKit
import Testing

@Suite struct LoginTests {
    @Test(arguments: [
        ("alice", "alice"), ("ALICE", "alice"), ("ａｌｉｃｅ", "alice"), ("a.b-c_d+e@example.org", "a.b-c_d+e@example.org"),
        ("José", "jose\u{301}".precomposed), ("李雷", "李雷"), ("7", "7"), ("ﬁn", "fin"),
        ("иван@example.org", "иван@example.org"), ("田中さん", "田中さん"), ("kim김", "kim김"), ("ユーザー7", "ユーザー7"),
        ("नमस्ते", "नमस्ते"),
        ("Nguyễn", "nguyễn"), ("роман", "роман"),
    ])
    func `a login has one form`(typed: String, text: String) throws {
        #expect(try Login(typed).text == text)
    }

    @Test(arguments: [
        "a b", ".a", "a\u{0}", "a\u{200B}b", "a\u{202E}b", "<a>", "a/b", "\u{301}a", "@", "a\u{FE0F}b", "a\u{34F}b",
        "a\u{3164}b",
        "0195a1b2-c3d4-7e5f-8a9b-0123456789ab", "AAAAAAAA-AAAA-AAAA-AAAA-AAAAAAAAAAAA",
        "a\u{115F}", "a.\u{301}", "a" + String(repeating: "\u{327}\u{331}", count: 3),
    ])
    func `what no login has is refused`(typed: String) {
        #expect(throws: FaultList([Fault("login_invalid")])) { try Login(typed) }
    }

    @Test(arguments: [
        "pаypal",  // Cyrillic а
        "аррӏе",  // all Cyrillic, and looks like apple
        "gооd",  // Cyrillic о
        "νικ",  // Greek, and looks like vik
        "aλb", "иванb", "7٣", "ひア한", "ada@еxample.org",
        "i\u{307}dris", "\u{130}dris", "i\u{323}\u{307}dris",  // a dot on a letter that has one
        "ɡoogle", "ɑlice", "bᴏb",  // letters of phonetics
    ])
    func `a login that could be taken for another one is refused`(typed: String) {
        #expect(throws: FaultList([Fault("login_confusable")])) { try Login(typed) }
        #expect(Login(searching: typed) != nil)
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
