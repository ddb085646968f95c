import GradingKit
import HTTP
import Testing

@testable import API

@Suite struct `The front door` {
    private func request(_ fields: [String], from peer: String, version: String = "1.1") throws -> Request {
        var parser = RequestParser()
        parser.feed(Array("GET / HTTP/\(version)\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8))
        guard case .request(let head, let body)? = try parser.next() else { throw RequestFault.requestLine }
        return Request(head: head, body: body, peer: try #require(IPAddress(peer)))
    }

    private func door(_ change: (inout FrontDoor) -> Void = { _ in }) -> FrontDoor {
        var door = FrontDoor()
        door.names = ["grades.example"]
        door.proxies = ["10.0.0.0/8"].compactMap { IPNetwork($0) }
        change(&door)
        return door
    }

    private func code(_ door: FrontDoor, _ fields: [String], from peer: String) throws -> String? {
        do {
            _ = try door.arrival(of: try request(fields, from: peer))
            return nil
        } catch let problem as Problem {
            return problem.code.text
        }
    }

    private static let host = "Host: grades.example"

    @Test func `serves plain HTTP to this machine and to proxies alone`() throws {
        #expect(try code(door(), [Self.host], from: "192.0.2.1") == "tls_required")
        // What a stranger says of himself changes nothing.
        let spoofed = [Self.host, "X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: https"]
        #expect(try code(door(), spoofed, from: "192.0.2.1") == "tls_required")
        #expect(try code(door(), [Self.host], from: "127.0.0.1") == nil)
        #expect(try code(door(), [Self.host], from: "10.1.2.3") == nil)
        #expect(try code(door { $0.isInsecure = true }, [Self.host], from: "192.0.2.1") == nil)
        #expect(try code(door { $0.speaksTLS = true }, [Self.host], from: "192.0.2.1") == nil)
    }

    @Test(arguments: ["grades.example", "GRADES.example:8443", "localhost:8080", "127.0.0.1", "[::1]:80"])
    func `answers under its own names`(host: String) throws {
        #expect(try code(door(), ["Host: \(host)"], from: "127.0.0.1") == nil)
    }

    @Test(arguments: ["evil.example", "grades.example.evil", "192.0.2.1", "x", "grades.example:x", "localhost.evil"])
    func `answers under no other name`(host: String) throws {
        #expect(try code(door(), ["Host: \(host)"], from: "127.0.0.1") == "misdirected")
        // A page that has pointed its own name at a proxy, or at this machine, can write any header.
        let rebound = ["Host: \(host)", "X-Forwarded-Host: grades.example"]
        #expect(try code(door(), rebound, from: "10.0.0.1") == "misdirected")
        #expect(try code(door(), [Self.host, "X-Forwarded-Host: \(host)"], from: "10.0.0.1") != nil)
    }

    @Test func `answers to any address where that is allowed, and to HTTP 1.0 without a host`() throws {
        let open = door { $0.answersToAddresses = true }
        #expect(try code(open, ["Host: 192.0.2.1:80"], from: "127.0.0.1") == nil)
        #expect(try code(open, ["Host: evil.example"], from: "127.0.0.1") == "misdirected")
        #expect(try door().arrival(of: request([], from: "127.0.0.1", version: "1.0")).host == nil)
    }

    @Test func `believes proxies about client, scheme and host`() throws {
        let fields = [
            "Host: localhost", "X-Forwarded-For: 1.1.1.1, 198.51.100.7", "X-Forwarded-Proto: https",
            "X-Forwarded-Host: grades.example",
        ]
        let arrival = try door().arrival(of: request(fields, from: "10.0.0.1"))
        #expect(arrival.client == IPAddress("198.51.100.7") && arrival.isSecure && arrival.host == "grades.example")
        #expect(arrival.mayRequireTLS)
        let direct = try door().arrival(of: request(fields, from: "127.0.0.1"))
        #expect(direct == Arrival(client: try #require(IPAddress("127.0.0.1")), isSecure: false, host: "localhost"))
        #expect(try code(door(), [Self.host, "X-Forwarded-For: x"], from: "10.0.0.1") == "malformed")
    }

    @Test func `takes TLS for granted where the public address has it and the proxy is silent`() throws {
        let expecting = door { $0.expectsTLS = true }
        #expect(try expecting.arrival(of: request([Self.host], from: "10.0.0.1")).isSecure)
        let plain = [Self.host, "X-Forwarded-Proto: http"]
        #expect(try !expecting.arrival(of: request(plain, from: "10.0.0.1")).isSecure)
        #expect(try !door().arrival(of: request([Self.host], from: "10.0.0.1")).isSecure)
        #expect(try !expecting.arrival(of: request([Self.host], from: "127.0.0.1")).isSecure)
    }

    @Test func `has nobody told to use TLS for this machine`() throws {
        let own = door { $0.speaksTLS = true }
        #expect(try own.arrival(of: request([Self.host], from: "192.0.2.1")).mayRequireTLS)
        #expect(try !own.arrival(of: request(["Host: localhost"], from: "127.0.0.1")).mayRequireTLS)
    }
}
