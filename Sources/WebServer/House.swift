internal import HTTP
internal import Transport

/// A connection as the house sees it.
protocol Guest: AnyObject {
    /// Take no more requests, and leave when the present one is answered.
    func drain()
    /// Leave politely, now.
    func evict()
    /// Leave, now.
    func abandon()
}

/// The connections of one loop and what they share: who is there, and how all are asked to leave.
///
/// States: *open* → *draining* (nobody stays longer than the present request; after `drainTime` sockets are closed
/// with 1012; a little later everything is broken off) → *empty*.
final class House {
    private enum State {
        case open
        case draining(TimerToken, onEmpty: () -> Void)
        case empty
    }

    /// What is left between asking the last sockets to close and closing them.
    private static let lastCall = Duration.seconds(2)

    let loop: EventLoop
    let responder: any Responder
    let settings: Settings
    let date = DateClock()
    private let ledger: ConnectionLedger
    private var guests: [(guest: any Guest, membership: Membership)] = []
    private var state = State.open

    init(loop: EventLoop, responder: any Responder, settings: Settings, ledger: ConnectionLedger) {
        self.loop = loop
        self.responder = responder
        self.settings = settings
        self.ledger = ledger
    }

    /// Whether nobody is to stay longer than for the present request.
    var isDraining: Bool {
        if case .open = state { false } else { true }
    }

    /// Lets a new connection in, or turns it away in words.
    func welcome(_ stream: Stream) {
        let address = IPAddress(bytes: stream.peer.ip) ?? .unspecified
        stream.lingerTime = settings.lingerTime
        stream.writeDeadline = .progress(settings.responseStall)
        if let refusal = ledger.enter(address) { return turnAway(stream, refusal) }
        let membership = Membership(house: self, index: guests.count, address: address)
        let connection = HTTPConnection(stream, peer: address, house: self, membership: membership)
        guests.append((connection, membership))
        connection.start()
    }

    /// Asks everybody to leave; `onEmpty` is called once, when the last one has.
    func drain(onEmpty: @escaping () -> Void) {
        guard case .open = state else { return onEmpty() }
        let timer = loop.schedule(after: settings.drainTime) { self.evict() }
        state = .draining(timer, onEmpty: onEmpty)
        for (guest, _) in guests { guest.drain() }
        finishIfEmpty()
    }

    fileprivate func replace(_ index: Int, by guest: any Guest) { guests[index].guest = guest }

    fileprivate func remove(_ membership: Membership) {
        ledger.leave(membership.address)
        let last = guests.removeLast()
        if last.membership !== membership {
            guests[membership.index] = last
            last.membership.index = membership.index
        }
        finishIfEmpty()
    }

    private func turnAway(_ stream: Stream, _ refusal: Refusal) {
        // A handshake only to say no would cost more than to serve, and take as long as the client likes.
        guard !stream.isSecure else { return stream.abort() }
        var response = responder.response(to: refusal)
        response.status = refusal.status
        var bytes: [UInt8] = []
        ResponseSerializer(version: .http11, isHead: false, keepsAlive: false)
            .write(response, date: date.bytes, to: &bytes)
        stream.write(bytes)
        stream.finish()
    }

    private func evict() {
        guard case .draining(_, let onEmpty) = state else { return }
        state = .draining(
            loop.schedule(after: House.lastCall) { for (guest, _) in self.guests { guest.abandon() } },
            onEmpty: onEmpty)
        for (guest, _) in guests { guest.evict() }
    }

    private func finishIfEmpty() {
        guard guests.isEmpty, case .draining(let timer, let onEmpty) = state else { return }
        state = .empty
        loop.cancel(timer)
        onEmpty()
    }
}

/// A connection's place in its house, which goes over from an HTTP connection to the WebSocket it becomes.
final class Membership {
    fileprivate var index: Int
    fileprivate let address: IPAddress
    private var house: House?

    fileprivate init(house: House, index: Int, address: IPAddress) {
        self.house = house
        self.index = index
        self.address = address
    }

    /// The place is `guest`'s from now on.
    func take(_ guest: any Guest) { house?.replace(index, by: guest) }

    /// The connection is gone.
    func leave() {
        house?.remove(self)
        house = nil
    }
}
