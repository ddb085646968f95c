import Accounts
import Cryptography
import GradingKit
import Rosefire
import Shared
import Testing

/// Rosefire as the tests play it.
struct Issuer {
    static let secret = "a-secret-of-the-tests-longer-than-32-bytes"

    static func secrets(_ lines: String...) throws -> RosefireSecrets {
        try RosefireSecrets(file: Array(lines.joined(separator: "\n").utf8))
    }

    /// A token with these claims beside `iat`.
    static func token(
        _ person: JSON = ["uid": "ada"], at now: Timestamp, claims: JSONObject = [:], header: JSON = ["alg": "HS256"],
        secret: String = secret
    ) -> String {
        var payload: JSONObject = ["iat": .number(String(now.microseconds / 1_000_000)), "d": person]
        for claim in claims { payload[claim.name] = claim.value }
        return CompactToken(
            header: header.bytes, payload: JSON.object(payload).bytes, key: HMACSHA256(key: Array(secret.utf8))
        ).text
    }
}

@Suite struct RosefireTokenTests {
    private let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private let secrets: RosefireSecrets

    init() throws { secrets = try Issuer.secrets(Issuer.secret) }

    private func read(_ text: String, _ others: RosefireSecrets? = nil) -> RosefireToken? {
        RosefireToken(text: text, secrets: others ?? secrets, at: now)
    }

    private func shifted(_ seconds: Int64) -> String { Issuer.token(at: now.adding(seconds: seconds)) }

    @Test func `the person is d.uid, with the name that the token tells`() {
        let token = read(Issuer.token(["uid": "ada", "name": "Ada", "email": "x@y", "group": "ADMIN"], at: now))
        #expect(token?.subject == "ada" && token?.displayName == "Ada")
        #expect(read(Issuer.token(at: now))?.displayName == nil)
    }

    @Test func `a token holds from a minute before to two minutes after it was made`() {
        #expect(read(shifted(-120)) != nil && read(shifted(-121)) == nil)
        #expect(read(shifted(60)) != nil && read(shifted(61)) == nil)
    }

    @Test func `its hash is kept for as long as it could be believed`() throws {
        let token = try #require(read(shifted(60)))
        #expect(token.expiresAt > now.adding(seconds: 60 + 120))
    }

    @Test func `exp and nbf count where they are there`() {
        let seconds = now.microseconds / 1_000_000
        func claim(_ name: String, _ value: JSON) -> Bool { read(Issuer.token(at: now, claims: [name: value])) != nil }
        #expect(claim("exp", .number("\(seconds + 1)")) && !claim("exp", .number("\(seconds)")))
        #expect(claim("nbf", .number("\(seconds + 60)")) && !claim("nbf", .number("\(seconds + 61)")))
        #expect(!claim("exp", .null) && !claim("exp", "soon") && !claim("nbf", .number("1.5")))
    }

    @Test func `iat is a whole number of seconds`() {
        for value: JSON in [.null, "1800000000", .number("1.8e9"), .number("1800000000.0"), .number("-1"), true] {
            #expect(read(Issuer.token(at: now, claims: ["iat": value])) == nil, "\(value)")
        }
        #expect(read(Issuer.token(at: now, claims: ["iat": .number("9223372036854775807")])) == nil)
        #expect(read(Issuer.token(at: now, claims: ["iat": .number("99999999999999999999")])) == nil)
    }

    @Test(arguments: ["none", "None", "HS384", "HS512", "RS256", "ES256", "hs256", ""])
    func `no other algorithm is understood`(name: String) {
        #expect(read(Issuer.token(at: now, header: ["alg": .string(name)])) == nil)
    }

    @Test func `a header that asks for more is refused`() {
        #expect(read(Issuer.token(at: now, header: ["alg": "HS256", "typ": "JWT", "kid": "1"])) != nil)
        for header: JSON in [
            [:], ["alg": 256], ["alg": "HS256", "crit": ["exp"]], ["alg": "HS256", "typ": "JWE"],
            ["alg": "HS256", "typ": 1], "HS256",
        ] {
            #expect(read(Issuer.token(at: now, header: header)) == nil, "\(header)")
        }
    }

    @Test func `while secrets are exchanged both count, and no other`() throws {
        let old = "the-secret-before-which-is-32-bytes-or-more"
        let text = Issuer.token(at: now, secret: old)
        #expect(read(text) == nil)
        let both = try Issuer.secrets(Issuer.secret, old)
        #expect(read(text, both) != nil && read(Issuer.token(at: now), both) != nil)
    }

    @Test func `a person has a name of one line`() {
        for uid: JSON in [.null, "", " ada", 5, .string(String(repeating: "a", count: 129)), "a\u{0}b", ["a"]] {
            #expect(read(Issuer.token(["uid": uid], at: now)) == nil, "\(uid)")
        }
        #expect(read(Issuer.token(.null, at: now)) == nil && read(Issuer.token([:], at: now)) == nil)
    }

    @Test func `what this server issues it believes`() throws {
        let text = try #require(
            RosefireToken.issue(to: "ada", named: "Ada", group: "STUDENT", secrets: secrets, at: now))
        #expect(read(text)?.subject == "ada")
    }

    @Test func `a payload that is no object, nested deeply or with a member twice is refused`() {
        let key = HMACSHA256(key: Array(Issuer.secret.utf8))
        let deep = #"{"iat":1800000000,"d":{"uid":"ada","x":[[[[[1]]]]]}}"#
        let twice = #"{"iat":1800000000,"d":{"uid":"ada","uid":"bob"}}"#
        for payload in ["[]", "1", "", "{", deep, twice] {
            let text = CompactToken(header: Array(#"{"alg":"HS256"}"#.utf8), payload: Array(payload.utf8), key: key)
                .text
            #expect(read(text) == nil, "\(payload)")
        }
    }
}

@Suite struct RosefireSecretsTests {
    private func fault(_ text: String) -> RosefireSecrets.Fault? {
        do throws(RosefireSecrets.Fault) {
            _ = try RosefireSecrets(file: Array(text.utf8))
            return nil
        } catch {
            return error
        }
    }

    @Test func `one or two secrets of 256 bit and more`() {
        let secret = String(repeating: "k", count: 32)
        #expect(fault(secret) == nil && fault("\(secret)\r\n\(secret)\n\n") == nil)
        #expect(fault("") == .count(0) && fault("\n\(secret)\n\(secret)\n\(secret)") == .count(3))
        #expect(fault(String(repeating: "k", count: 31)) == .length(31))
        #expect(fault(String(repeating: "k", count: 513)) == .length(513))
        #expect(fault(secret + " ") == .characters && fault(secret + "é") == .characters)
    }

    @Test func `a new file is a good one, and each is another`() throws {
        let files = [RosefireSecrets.newFile(), RosefireSecrets.newFile()]
        for file in files { _ = try RosefireSecrets(file: file) }
        #expect(files[0] != files[1])
    }
}
