@testable import HTTP

/// All that a connection gets to hear.
private struct Reading: Equatable {
    var events: [RequestParser.Event] = []
    var fault: RequestFault?
    var isWaiting = false
}

private let bodyLimit = 4_096

private func read(_ parts: [ArraySlice<UInt8>]) -> Reading {
    var (parser, reading) = (RequestParser(), Reading())
    for part in parts {
        parser.feed(Array(part))
        do throws(RequestFault) {
            while let event = try parser.next() {
                reading.events.append(event)
                if case .head = event { try parser.acceptBody(upTo: bodyLimit) }
            }
        } catch {
            reading.fault = error
            return reading
        }
    }
    reading.isWaiting = !parser.isBetweenRequests
    return reading
}

/// Requests are the same however they are cut, bodies keep their limit, and what is accepted is well formed.
@Sendable func fuzzHTTP(_ bytes: [UInt8]) {
    let whole = read([bytes[...]])
    promise(whole == read(pieces(bytes)), "the cut decides")
    for case .request(let head, let body) in whole.events {
        promise(body.count <= bodyLimit, "a body of \(body.count) bytes")
        promise(head.target.segments.allSatisfy { !$0.contains("\0") }, "a NUL in the path")
        let lengths = head.headers.values("Content-Length")
        promise(lengths.isEmpty || !head.headers.contains("Transfer-Encoding"), "a length and a coding")
        if let length = lengths.first { promise(lengths.count == 1 && Int(length) == body.count, "a wrong length") }
        for (name, value) in head.headers.all {
            promise(!(name + value).utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a line end in a header")
        }
    }
}
