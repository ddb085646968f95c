import Testing

@testable import HTTP

@Suite struct `The router` {
    private func router() throws -> Router<String> {
        var router = Router<String>()
        try router.add(.get, "/", "root")
        try router.add(.get, "/v1/records/{record}", "read")
        try router.add(.patch, "/v1/records/{record}/entries/{entry}", "amend")
        try router.add(.delete, "/v1/records/{id}/entries/{other}", "delete")
        try router.add(.get, "/v1/accounts/me", "me")
        try router.add(.get, "/v1/accounts/{id}/avatar", "avatar")
        try router.add(.head, "/v1/accounts/me", "head of me")
        try router.add(.post, "/v1/accounts/{id}", "post")
        return router
    }

    private func describe(_ match: Router<String>.Match) -> String {
        switch match {
        case .found(let value, let parameters):
            "\(value) " + ["record", "entry", "id", "other"].compactMap { parameters[$0] }.joined(separator: ",")
        case .notFound: "not found"
        case .methodNotAllowed(let allow): "allow " + allow.map(\.description).joined(separator: ",")
        case .options(let allow): "options " + allow.map(\.description).joined(separator: ",")
        }
    }

    @Test(arguments: [
        (Method.get, "/", "root "), (.get, "/v1/records/7", "read 7"), (.head, "/v1/records/7", "read 7"),
        (.patch, "/v1/records/7/entries/a%20b", "amend 7,a b"), (.delete, "/v1/records/7/entries/8", "delete 7,8"),
        (.get, "/v1/accounts/me", "me "), (.head, "/v1/accounts/me", "head of me "),
        (.get, "/v1/accounts/me/avatar", "avatar me"), (.get, "/v1/records", "not found"),
        (.get, "/v1/records/", "not found"), (.get, "/v1/records/7/", "not found"), (.get, "/v1", "not found"),
        (.post, "/v1/records/7", "allow GET,HEAD,OPTIONS"), (.options, "/v1/records/7", "options GET,HEAD,OPTIONS"),
        (.other("PURGE"), "/v1/accounts/me", "allow GET,HEAD,OPTIONS"),
        (.get, "/%76%31/accounts/%6De", "me "), (.get, "/v1/accounts/%6D%2Fe/avatar", "avatar m/e"),
        (.get, "/v1%2Faccounts/me", "not found"), (.options, "*", "options GET,PATCH,DELETE,HEAD,POST,OPTIONS"),
    ]) func `finds what answers`(method: Method, target: String, outcome: String) throws {
        #expect(describe(try router().match(method, Target(target))) == outcome)
    }

    @Test func `goes no further than its patterns`() throws {
        var router = Router<String>()
        try router.add(.get, "/{a}/{b}/{c}/{d}", "deepest")
        #expect(throws: Router<String>.PatternError.self) { try router.add(.get, "/{a}/{b}/{c}/{d}/{e}/f", "") }
        guard case .found("deepest", let parameters) = try router.match(.get, Target("/1/2/3/4")) else {
            return #expect(Bool(false), "not found")
        }
        #expect(["a", "b", "c", "d", "e"].map { parameters[$0] } == ["1", "2", "3", "4", nil])
        guard case .notFound = try router.match(.get, Target("/1/2/3/4/5/f")) else {
            return #expect(Bool(false), "found")
        }
    }

    @Test func `refuses bad patterns and doubles`() throws {
        var router = try router()
        #expect(throws: Router<String>.PatternError.malformed("v1")) { try router.add(.get, "v1", "") }
        #expect(throws: Router<String>.PatternError.malformed("/a{b}")) { try router.add(.get, "/a{b}", "") }
        #expect(throws: Router<String>.PatternError.malformed("/{a}/{b}/{c}/{d}/{e}")) {
            try router.add(.get, "/{a}/{b}/{c}/{d}/{e}", "")
        }
        #expect(throws: Router<String>.PatternError.duplicate(.get, "/v1/records/{x}")) {
            try router.add(.get, "/v1/records/{x}", "")
        }
    }
}
