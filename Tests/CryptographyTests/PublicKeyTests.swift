import Cryptography
import JSON
import Testing

/// Keys and tokens of the standards; the one of PS256 was made by a few lines of Python with the key of RFC 7515.
private enum Known {
    static let rsa: JSON = [
        "kty": "RSA", "e": "AQAB",
        "n": .string(
            "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SF"
                + "d2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS"
                + "-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8"
                + "q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"),
    ]
    static let p256: JSON = [
        "kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    ]
    static let ed25519: JSON = [
        "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
    ]

    private static let payload =
        "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"

    /// RFC 7515, A.2.
    static let rs256 =
        "eyJhbGciOiJSUzI1NiJ9.\(payload).cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc"
        + "_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
        + "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgG"
        + "Y9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"
    /// RFC 7515, A.3.
    static let es256 =
        "eyJhbGciOiJFUzI1NiJ9.\(payload)."
        + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"
    /// RFC 8037, A.4.
    static let edDSA =
        "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc."
        + "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
    /// The salt is the bytes 0 to 31.
    static let ps256 =
        "eyJhbGciOiJQUzI1NiJ9.\(payload).SHdbwC2HD3805O3W0NLTalEJlZuhQQDQmdZmm4Sh4Bm-OtmSht6GLzIUjtIjkBv5Ey3E74e6f9G_O"
        + "XO3g1UC6W4jI4Xo6JmzK1wtY7YyQbDiiO9oVdfh5XFfX-i5NhZLD3ciP4x6tw7SiQuMXEfjCKKS8dbxqZsL0zU-OS4fj1zCFwv9thlunPSm"
        + "OfYzfW0eTGtSemOMmfjFt5W9GR05OMdF90HlUpvKwBh5NwDFLwRJ92jIl5XNgp0E1a9GjFI-IyjeClmduHFKjmEF9UAPMHk8MrRzSaXngGKp"
        + "agBnAGkBl1DR2JNN9-q5Zb4OhkeVPSYRW7HKeGdb1eT5tmdmPg"
    /// The same without a salt, which PS256 does not allow.
    static let unsalted =
        "eyJhbGciOiJQUzI1NiJ9.\(payload).cMDnon9-kWOmWl3ENxyEIYFFJYZTPzSZAh5spERaclkKwJmvwMMNUMCbdMAak1TUhOHX2HHV0ImU0"
        + "QgH8_r8sZKD_Ym2fIs6dyawyPikuwkHN5FPlTLqEIx0GdKYUiIb7lezAXraCkMp8QFBKdBOWZFl1QBolOc9ZbPDcx7yGnGuXpJFdhvtmpxR"
        + "QMMmti_YtxtYFtnynI8-tROWpUJY02C-wx_xmySr86Q9PYQ64BsNZLHrW9LErNqvSDE7hd77ic8oRps8O2a3Sm1YizLj2jAXBktyainlOJgO"
        + "0dcJz1X84nHJp7ySpc34rbN2LqbE8o2nVA7ZARiWPphEIuqkYg"

    static let all: [(SignatureAlgorithm, String, JSON)] = [
        (.rs256, rs256, rsa), (.ps256, ps256, rsa), (.es256, es256, p256), (.edDSA, edDSA, ed25519),
    ]
}

@Suite struct PublicKeyTests {
    private func key(_ json: JSON) throws -> PublicKey { try #require(JSONWebKey(json)).key }

    @Test func `the examples of the standards hold, each with its own algorithm alone`() throws {
        for (algorithm, text, _) in Known.all {
            let token = try #require(CompactToken(text: text))
            for (_, _, json) in Known.all {
                for tried in SignatureAlgorithm.allCases {
                    let holds = token.isSigned(by: try key(json), with: tried)
                    let isIts = tried == algorithm && json == Known.all.first { $0.0 == algorithm }?.2
                    #expect(holds == isIts, "\(algorithm) as \(tried)")
                }
            }
        }
    }

    @Test func `a flipped bit of message or signature is noticed`() throws {
        for (algorithm, text, json) in Known.all {
            let token = try #require(CompactToken(text: text))
            let message = Array(text[..<(try #require(text.lastIndex(of: ".")))].utf8)
            let key = try key(json)
            #expect(key.isValid(token.signature, for: message, by: algorithm))
            for index in [0, token.signature.count / 2, token.signature.count - 1] {
                var signature = token.signature
                signature[index] ^= 1
                #expect(!key.isValid(signature, for: message, by: algorithm))
            }
            var other = message
            other[other.count - 1] ^= 1
            #expect(!key.isValid(token.signature, for: other, by: algorithm))
            for signature in [[], Array(token.signature.dropLast()), token.signature + [0]] {
                #expect(!key.isValid(signature, for: message, by: algorithm))
            }
        }
    }

    @Test func `a salt of another length is no PS256`() throws {
        #expect(try !#require(CompactToken(text: Known.unsalted)).isSigned(by: key(Known.rsa), with: .ps256))
    }

    @Test func `an ECDSA signature has the form that is asked for and no other`() throws {
        let token = try #require(CompactToken(text: Known.es256))
        let message = Array(Known.es256.utf8.prefix(Known.es256.utf8.count - 87))
        // The numbers of RFC 7515, A.3, as a DER sequence by hand: the second begins with a set bit.
        let (r, s) = (Array(token.signature.prefix(32)), Array(token.signature.suffix(32)))
        let der: [UInt8] = [0x30, 0x45, 0x02, 0x20] + r + [0x02, 0x21, 0x00] + s
        let key = try key(Known.p256)
        #expect(key.isValid(der, for: message, by: .es256, encoding: .der))
        #expect(key.isValid(token.signature, for: message, by: .es256, encoding: .fixed))
        #expect(!key.isValid(der, for: message, by: .es256, encoding: .fixed))
        #expect(!key.isValid(token.signature, for: message, by: .es256, encoding: .der))
        #expect(!key.isValid(der + [0], for: message, by: .es256, encoding: .der))
    }

    @Test func `an ECDSA signature of zeros is none`() throws {
        #expect(try !key(Known.p256).isValid([UInt8](repeating: 0, count: 64), for: [1], by: .es256))
    }

    @Test func `small, even and enormous RSA keys are refused`() {
        func key(bytes count: Int, last: UInt8 = 1, exponent: [UInt8] = [1, 0, 1]) -> PublicKey? {
            PublicKey(rsaModulus: [0x80] + [UInt8](repeating: 0, count: count - 2) + [last], exponent: exponent)
        }
        #expect(key(bytes: 256) != nil && key(bytes: 1_024) != nil)
        #expect(key(bytes: 255) == nil && key(bytes: 1_025) == nil)
        #expect(PublicKey(rsaModulus: [0x7F] + [UInt8](repeating: 0xFF, count: 255), exponent: [3]) == nil)
        #expect(key(bytes: 256, last: 2) == nil)
        #expect(key(bytes: 256, exponent: [1]) == nil && key(bytes: 256, exponent: [0, 0, 1]) == nil)
        #expect(key(bytes: 256, exponent: [4]) == nil && key(bytes: 256, exponent: []) == nil)
        #expect(key(bytes: 256, exponent: [1, 0, 0, 0, 1]) == nil)
        #expect(PublicKey(rsaModulus: [], exponent: [3]) == nil)
    }

    @Test func `a point beside the curve is no key`() throws {
        let x = try #require(Base64.url.decode("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU"))
        #expect(PublicKey(p256X: x, y: x) == nil)
        #expect(PublicKey(p256X: [UInt8](repeating: 0, count: 32), y: [UInt8](repeating: 0, count: 32)) == nil)
        #expect(PublicKey(p256X: Array(x.dropLast()), y: x) == nil)
        #expect(PublicKey(ed25519: Array(x.dropLast())) == nil)
    }

    @Test func `a set of keys passes over what is not for signatures`() throws {
        func changed(_ name: String, _ value: JSON) -> JSON {
            guard var object = Known.p256.object else { return .null }
            object[name] = value
            return .object(object)
        }
        let none: [JSON] = [
            changed("use", "enc"), changed("key_ops", ["sign"]), changed("alg", "ES512"), changed("alg", "none"),
            changed("alg", 7), changed("crv", "P-521"), changed("kty", "oct"), changed("x", "!"), changed("y", nil),
            ["kty": "oct", "k": "AAAA"], .null, [], "key",
        ]
        for json in none { #expect(JSONWebKey(json) == nil, "\(json)") }
        let named = changed("kid", "one")
        let read = JSONWebKey.read(set: ["keys": .array(none + [named, changed("alg", "ES256")])])
        #expect(read.map(\.id) == ["one", nil] && read.map(\.algorithm) == [nil, .es256])
        #expect(JSONWebKey.read(set: ["keys": .array(Array(repeating: named, count: 100))]).count == 64)
        #expect(JSONWebKey.read(set: ["keys": "x"]).isEmpty)
    }
}
