import HTTP
import Observability
import Outbound

/// The management address of a server on this machine, as commands ask it.
struct ManagementAddress {
    private let authority: String
    private let client: OutboundClient

    /// Takes what the command line names: a port, or an address or `localhost` and a port, such as `[::1]:9464`.
    init(_ place: String, of command: String) throws(UsageError) {
        let end = place.lastIndex(of: ":")
        let host = end.map { String(place[..<$0]) } ?? "localhost"
        guard let port = UInt16(end.map { String(place[place.index(after: $0)...]) } ?? place), port > 0 else {
            throw UsageError("“\(place.printable)” does not end with a port, a number from 1 to 65535.", of: command)
        }
        // Names are not looked up: the server is on this machine, whatever a name service says.
        let address = host == "localhost" ? "127.0.0.1" : host
        let isBracketed = address.hasPrefix("[") && address.hasSuffix("]")
        guard let number = IPAddress(isBracketed ? String(address.dropFirst().dropLast()) : address),
            isBracketed != number.isIPv4, number.isLoopback
        else {
            throw UsageError(
                "“\(host.printable)” is no address of this machine: only localhost, 127.0.0.1 and the like, and [::1] are.",
                of: command)
        }
        authority = "\(address):\(port)"
        var policy = OutboundPolicy(allowing: [IPNetwork(number)])
        policy.bytes = 4 << 20
        client = OutboundClient(policy, threads: 1)
    }

    /// Returns the URL of a document there.
    func url(of path: String) -> String { "http://\(authority)\(path)" }

    /// Returns the answer for a path, whatever its status.
    func get(_ path: String) async throws(Failure) -> OutboundResponse {
        do {
            return try await client.send(OutboundRequest(url(of: path)))
        } catch {
            throw Failure("\(url(of: path)) cannot be read: \(Self.text(of: error)).")
        }
    }

    private static func text(of error: OutboundError) -> String {
        switch error {
        case .unreachable: "nothing accepts connections there"
        case .timedOut: "there is no answer in time"
        case .tooLarge: "the answer is too long"
        case .untrusted(let why), .failed(let why): why.printable
        case .addressRefused, .networkRefused, .nameUnknown, .busy, .cancelled: "\(error)"
        }
    }
}
