import HTTP
import Testing

@testable import API

@Suite struct `Pages of other origins` {
    private let rule = OriginRule(others: ["https://app.example"])

    private func request(_ method: String, _ fields: [String]) throws -> Request {
        var parser = RequestParser()
        let lines = (["\(method) /v1/records HTTP/1.1", "Host: a"] + fields).map { $0 + "\r\n" }.joined()
        parser.feed(Array((lines + "\r\n").utf8))
        guard case .request(let head, let body)? = try parser.next() else { throw RequestFault.requestLine }
        return Request(head: head, body: body)
    }

    private func admitted(_ fields: String...) throws -> Headers {
        var response = Response(.ok)
        rule.admit(try request("GET", fields), to: &response)
        return response.headers
    }

    @Test func `of the list may read answers`() throws {
        let headers = try admitted("Origin: https://app.example")
        #expect(headers["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(headers.hasToken("ETag", in: "Access-Control-Expose-Headers"))
        #expect(headers["Vary"] == "Origin")
    }

    @Test func `never read what a cookie opens`() throws {
        #expect(!(try admitted("Origin: https://app.example")).contains("Access-Control-Allow-Credentials"))
    }

    @Test(arguments: [
        [], ["Origin: https://evil.example"], ["Origin: null"], ["Origin: https://app.example.evil"],
        ["Origin: https://app.example", "Origin: https://app.example"],
    ])
    func `and programs without one are told nothing else`(fields: [String]) throws {
        var response = Response(.ok)
        rule.admit(try request("GET", fields), to: &response)
        rule.answerPreflight(
            try request("OPTIONS", fields + ["Access-Control-Request-Method: PATCH"]), allowing: "GET, PATCH",
            in: &response)
        #expect(!response.headers.contains("Access-Control-Allow-Origin"))
        #expect(!response.headers.contains("Access-Control-Allow-Methods"))
        #expect(response.headers["Vary"] == "Origin")
    }

    @Test func `learn what they may send, if their browser asks`() throws {
        var response = Response(.noContent)
        let asked = ["Origin: https://app.example", "Access-Control-Request-Method: PATCH"]
        rule.answerPreflight(try request("OPTIONS", asked), allowing: "GET, PATCH", in: &response)
        #expect(response.headers["Access-Control-Allow-Methods"] == "GET, PATCH")
        for name in ["authorization", "content-type", "if-match", "idempotency-key", "gradecast-account"] {
            #expect(response.headers.hasToken(name, in: "Access-Control-Allow-Headers"))
        }
        var plain = Response(.noContent)
        rule.answerPreflight(try request("OPTIONS", [asked[0]]), allowing: "GET, PATCH", in: &plain)
        #expect(!plain.headers.contains("Access-Control-Allow-Methods"))
    }

    @Test func `do not exist where none are listed`() throws {
        var response = Response(.ok)
        OriginRule(others: []).admit(try request("GET", ["Origin: https://app.example"]), to: &response)
        #expect(!response.headers.contains("Vary"))
    }
}
