internal import Glibc

/// The connections that have something to send at the end of the turn: the one place where sends happen, so that they
/// can be submitted to the kernel together where it offers that.
struct FlushQueue {
    /// Fewer sends than this are cheaper one by one: the ring has a price of its own.
    private static let fewestTogether = 16

    private var streams: [Stream] = []

    var isEmpty: Bool { streams.isEmpty }

    /// Puts a connection in; each at most once, which the connection sees to.
    mutating func add(_ stream: Stream) { streams.append(stream) }

    /// Takes all out, in the order they came. What they send meanwhile belongs to the next turn.
    ///
    /// - Parameter spare: an empty list, in whose memory the next turn's are kept.
    mutating func take(spare: [Stream]) -> [Stream] {
        var taken = spare
        swap(&taken, &streams)
        return taken
    }

    /// Lets each send what it has: those with a single frame together, if there is a ring, then whatever is left.
    static func send(_ streams: [Stream], through ring: SendRing?) {
        var start = 0
        while let ring, streams.count - start >= Self.fewestTogether {
            var end = start
            // No handler is called between `add` and `submit`, so no queue changes and no descriptor is closed.
            while end < streams.count, streams[end].joins(ring, as: end) { end += 1 }
            guard end > start else { break }
            ring.submit { streams[$0].sent($1) }
            for index in start..<end { streams[index].turnEnds() }
            start = end
        }
        for index in start..<streams.count { streams[index].turnEnds() }
    }
}
