import Accounts
import Application
import Deadlines
import GradingKit
import HTTP
import Shared
import TestKit
import Testing
import Threads
import WebServer

@testable import API

/// What a route sees of its request.
@Suite struct CallTests {
    private func call(
        _ rule: Call.BodyRule, reads: ParameterList = .none, type: String = "application/json", body: String = "{}",
        query: String = "", field: String = "X-A: 1", bodies: WorkerPool? = nil
    ) throws -> Call {
        var router = Router<Route>()
        try router.add(.post, "/x", Route(.post, "/x", .open, "", scope: .any) { _ in Response(.ok) })
        var parser = RequestParser()
        parser.feed(Array("POST /x\(query) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\(field)\r\n\r\n".utf8))
        guard case .request(let head, _) = try parser.next(),
            case .found(_, let parameters) = router.match(head.method, head.target)
        else { throw StoreError.notFound }
        return Call(
            request: Request(head: head, body: Array(body.utf8)), parameters: parameters, declared: reads, takes: rule,
            context: RequestContext(
                principal: .guest, client: Client(source: "192.0.2.1"), language: .english, now: WallClock.system.now),
            token: nil, arrival: Arrival(client: .unspecified, isSecure: false, host: nil), bodies: bodies)
    }

    @Test func `a body that the route does not declare is not read`() async throws {
        await #expect(throws: UndeclaredParameter.self) { try await call(.none).json() }
        #expect(throws: UndeclaredParameter.self) { try call(.none).body() }
        #expect(try await call(.required, body: #"{"a":1}"#).json() == ["a": 1])
    }

    @Test func `a body may be left out where the route says so`() async throws {
        #expect(try await call(.optional, type: "", body: "").json() == [:])
        await #expect(throws: (any Error).self) { try await call(.required, body: "").json() }
    }

    @Test(arguments: [
        ("application/json", true), ("Application/JSON; charset=utf-8", true), ("application/merge-patch+json", true),
        ("text/plain", false), ("application/jsonp", false),
    ])
    func `a body is JSON by its type`(type: String, isRead: Bool) async throws {
        let call = try call(.required, type: type)
        if isRead {
            #expect(try await call.json() == [:])
        } else {
            await #expect(throws: Problem.self) { try await call.json() }
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

    /// Large bodies that are the most work for their length, and how much each holds.
    private static let worst: [(text: String, count: Int)] = [
        ("[" + Array(repeating: "1", count: 50_000).joined(separator: ",") + "]", 50_000),
        ("[" + Array(repeating: deep, count: 800).joined(separator: ",") + "]", 800),
        ("{" + (0..<8_000).map { "\"\($0)\":1" }.joined(separator: ",") + "}", 8_000),
    ]
    private static let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)

    @Test(arguments: worst.indices)
    func `a large body is read beside the loop, whatever it says`(index: Int) async throws {
        let pool = WorkerPool("test", capacity: 4)
        let (gate, done) = (Gate(), Recorder<String>())
        #expect(pool.submit { gate.pass() })
        let large = try call(.required, body: Self.worst[index].text, bodies: pool)
        let small = try call(.required, body: #"{"a":1}"#, bodies: pool)
        try await withThrowingTaskGroup { group in
            group.addTask {
                let json = try await large.json()
                done.record("large")
                #expect(json.array?.count ?? json.object?.count == Self.worst[index].count)
            }
            while pool.waiting == 0 { await Task.yield() }
            #expect(try await small.json() == ["a": 1])
            done.record("small")
            gate.open()
            try await group.waitForAll()
        }
        #expect(done.items == ["small", "large"])
        await pool.join()
    }

    @Test func `a large body that cannot be read is refused like a small one, and one too many may be repeated`()
        async throws
    {
        let pool = WorkerPool("test", capacity: 0)
        let half = String(Self.worst[0].text.dropLast())
        await #expect(throws: JSONSyntaxError.self) { try await call(.required, body: half, bodies: pool).json() }
        let gate = Gate()
        #expect(pool.submit { gate.pass() })
        let refusal = await #expect(throws: Problem.self) {
            try await call(.required, body: Self.worst[0].text, bodies: pool).json()
        }
        #expect(refusal?.code == "unavailable" && refusal?.error.isRetryable == true)
        gate.open()
        await pool.join()
    }

    @Test func `a request whose deadline has passed may be repeated`() {
        let problem = Problem(DeadlinePassed())
        #expect(problem?.status == .serviceUnavailable && problem?.code == "deadline_passed")
        #expect(problem?.error.isRetryable == true && problem?.retryAfter == 2)
    }

    @Test func `a parameter that the route does not declare is not read`() throws {
        #expect(throws: UndeclaredParameter.self) { try call(.none, query: "?limit=3").read(Query.limit) }
        #expect(try call(.none, reads: [Query.limit], query: "?limit=3").read(Query.limit) == 3)
    }
}
