/// The connections that have something to send at the end of the turn: the one place where sends happen, so that they
/// can be submitted to the kernel together where it offers that.
struct Outbox {
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
}
