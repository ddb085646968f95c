@testable import HTTP

/// What a parser says about one connection's bytes: the requests, and how it ended.
struct Reading: Equatable {
    var requests: [String] = []
    var fault: RequestFault?

    /// Feeds `text` in pieces of `size` bytes (all at once by default), accepting bodies of `limit` bytes.
    init(_ bytes: [UInt8], pieces size: Int = .max, bodyLimit limit: Int = 1024) {
        var parser = RequestParser()
        var start = 0
        do throws(RequestFault) {
            repeat {
                let end = size < bytes.count - start ? start + size : bytes.count
                parser.feed(Array(bytes[start..<end]))
                start = end
                try drain(&parser, limit)
            } while start < bytes.count
        } catch {
            fault = error
        }
    }

    init(_ text: String, pieces size: Int = .max, bodyLimit limit: Int = 1024) {
        self.init(Array(text.utf8), pieces: size, bodyLimit: limit)
    }

    private mutating func drain(_ parser: inout RequestParser, _ limit: Int) throws(RequestFault) {
        while let event = try parser.next() {
            switch event {
            case .head: try parser.acceptBody(upTo: limit)
            case .request(let head, let body): requests.append(Reading.describe(head, body))
            }
        }
    }

    private static func describe(_ head: RequestHead, _ body: [UInt8]) -> String {
        let fields = head.headers.all.map { "\($0.name)=\($0.value)" }.joined(separator: "|")
        return "\(head.method) \(head.target) \(fields) \(head.isKeepAlive) \(String(decoding: body, as: UTF8.self))"
    }
}
