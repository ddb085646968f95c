import Accounts
import Application
import GradingKit
import HTTP
import Shared
import Testing
import WebServer

@testable import API

/// What a route sees of its request.
@Suite struct CallTests {
    private func call(
        _ rule: Call.BodyRule, reads: ParameterList = .none, type: String = "application/json", body: String = "{}",
        query: String = "", field: String = "X-A: 1"
    ) throws -> Call {
        var router = Router<Route>()
        try router.add(.post, "/x", Route(.post, "/x", .open, "") { _ in Response(.ok) })
        var parser = RequestParser()
        parser.feed(Array("POST /x\(query) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\(field)\r\n\r\n".utf8))
        guard case .request(let head, _) = try parser.next(),
            case .found(_, let parameters) = router.match(head.method, head.target)
        else { throw StoreError.notFound }
        return Call(
            request: Request(head: head, body: Array(body.utf8)), parameters: parameters, declared: reads, takes: rule,
            context: RequestContext(
                principal: .guest, client: Client(source: "192.0.2.1"), language: .english, now: WallClock.system.now),
            token: nil, arrival: Arrival(client: .unspecified, isSecure: false, host: nil))
    }

    @Test func `a body that the route does not declare is not read`() throws {
        #expect(throws: UndeclaredParameter.self) { try call(.none).json() }
        #expect(throws: UndeclaredParameter.self) { try call(.none).body() }
        #expect(try call(.required, body: #"{"a":1}"#).json() == ["a": 1])
    }

    @Test func `a body may be left out where the route says so`() throws {
        #expect(try call(.optional, type: "", body: "").json() == [:])
        #expect(throws: (any Error).self) { try call(.required, body: "").json() }
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/merge-patch+json", true),
        ("text/plain", false), ("application/jsonp", false),
    ])
    func `a body is JSON by its type`(type: String, isRead: Bool) throws {
        let call = try call(.required, type: type)
        if isRead {
            #expect(try call.json() == [:])
        } else {
            #expect(throws: Problem.self) { try call.json() }
        }
    }

    @Test(arguments: [
        ("\"k3.44\"", true), ("W/\"k3.44\"", true), ("\"k3.43\", \"k3.44\"", true), ("*", true), ("\"k3.4\"", false),
        ("\"k4.44\"", false), ("\"k3.044\"", false), ("\"k3.+44\"", false), ("k3.44", false), ("\"\"", false),
        ("\"", false), ("\"*\"", false),
    ])
    func `a version is the client's if one of its tags says so`(tags: String, isHeld: Bool) throws {
        let call = try call(.none, reads: [Header.ifNoneMatch], field: "If-None-Match: \(tags)")
        #expect(call.hasVersion)
        #expect(try call.has(Revision(epoch: Epoch("k3"), version: 44)) == isHeld)
    }

    @Test func `a client that says nothing has no version`() throws {
        let call = try call(.none, reads: [Header.ifNoneMatch])
        #expect(!call.hasVersion)
        #expect(try !call.has(Revision(epoch: Epoch("k3"), version: 44)))
    }

    @Test func `a parameter that the route does not declare is not read`() throws {
        #expect(throws: UndeclaredParameter.self) { try call(.none, query: "?limit=3").read(Query.limit) }
        #expect(try call(.none, reads: [Query.limit], query: "?limit=3").read(Query.limit) == 3)
    }
}
