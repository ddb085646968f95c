internal import Glibc

/// The connections that have something to send at the end of the turn: the one place where sends happen, so that they
/// can be submitted to the kernel together where it offers that.
struct Outbox {
    /// Fewer sends than this are cheaper one by one: the ring has a price of its own.
    private static let fewestTogether = 16

    private var streams: [Stream] = []

    var isEmpty: Bool { streams.isEmpty }

    /// Puts a connection in; each at most once, which the connection sees to.
    mutating func add(_ stream: Stream) { streams.append(stream) }

    /// Takes all out, in the order they came. What they send meanwhile belongs to the next turn.
    mutating func take() -> [Stream] {
        guard !streams.isEmpty else { return [] }
        let taken = streams
        streams = []
        streams.reserveCapacity(min(taken.count, 1024))
        return taken
    }

    /// Lets each send what it has: those with a single frame together, if there is a ring, then whatever is left.
    static func send(_ streams: [Stream], through ring: SendRing?) {
        var rest = streams[...]
        while let ring, rest.count >= Self.fewestTogether {
            var batch: [Stream] = []
            var taken = 0
            // No handler is called between `add` and `submit`, so no queue changes and no descriptor is closed.
            for stream in rest {
                if let frame = stream.loneFrame {
                    guard ring.add(stream.descriptor, frame) else { break }
                    batch.append(stream)
                }
                taken += 1
            }
            guard !batch.isEmpty else { break }
            for (stream, outcome) in zip(batch, ring.submit()) { stream.sent(outcome) }
            for stream in rest.prefix(taken) { stream.turnEnds() }
            rest = rest.dropFirst(taken)
        }
        for stream in rest { stream.turnEnds() }
    }
}
