internal import Glibc

/// The connections that have something to send at the end of the turn. All sends happen here, so that they can go to
/// the kernel together if it permits that.
struct FlushQueue {
    /// The smallest number of sends for which the ring is worth its own cost.
    private static let fewestTogether = 16

    private var streams: [Stream] = []

    var isEmpty: Bool { streams.isEmpty }

    /// Adds a connection. The connection itself makes sure that it is added only once.
    mutating func add(_ stream: Stream) { streams.append(stream) }

    /// Removes and returns all connections, in the order in which they came. What they send meanwhile belongs to the
    /// next turn.
    ///
    /// - Parameter spare: an empty list, whose memory is used for the next turn's connections.
    mutating func take(spare: [Stream]) -> [Stream] {
        var taken = spare
        swap(&taken, &streams)
        return taken
    }

    /// Sends what each connection has: those with a single frame together, if there is a ring, and then whatever is
    /// left.
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
