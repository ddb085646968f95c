public import HTTP
internal import Synchronization
internal import Transport

/// The client that a connection's memory is charged to.
public enum Payer: Hashable, Sendable {
    /// A client at an address, or in an IPv6 network.
    case address(IPAddress)
    /// A client that the application knows, by a name that the application chooses.
    case account(String)
}

/// Counts the bytes of one kind that are held for clients, over all loops: per connection, per payer and in total.
///
/// Above a limit, the connections whose bytes have moved least recently give way. The bytes of the largest connection
/// do not count, so that a client can get an answer of any size; each bound is thus its limit plus one answer.
public final class MemoryLedger: Sendable {
    fileprivate struct Entry {
        var payer: Payer
        let giveWay: @Sendable () -> Void
        var bytes = 0
        var moved: MonotonicInstant
        /// Whether it need never give way.
        var isPinned = false
    }

    fileprivate struct State {
        var entries: [Int: Entry] = [:]
        var payers: [Payer: (bytes: Int, entries: Set<Int>)] = [:]
        var total = 0
        var serial = 0
        var evictions = 0
    }

    private let limit: Int
    private let limitPerPayer: Int
    private let state = Mutex(State())

    init(limit: Int, limitPerPayer: Int) {
        self.limit = limit
        self.limitPerPayer = limitPerPayer
    }

    /// How many bytes are held in total.
    public var bytes: Int { state.withLock { $0.total } }

    /// How many connections had to give way so far.
    public var evictions: Int { state.withLock { $0.evictions } }

    /// Returns a share for a connection, without bytes yet.
    ///
    /// - Parameter giveWay: called from any thread, at most once, when the connection must release its bytes; from then
    ///   on they do not count.
    func share(for payer: Payer, at now: MonotonicInstant, giveWay: @escaping @Sendable () -> Void) -> MemoryShare {
        let number = state.withLock { state in
            state.serial += 1
            state.entries[state.serial] = Entry(payer: payer, giveWay: giveWay, moved: now)
            state.payers[payer, default: (0, [])].entries.insert(state.serial)
            return state.serial
        }
        return MemoryShare(number, in: self)
    }

    fileprivate func hold(_ number: Int, bytes: Int, moved: MonotonicInstant) {
        update { $0.set(number, bytes: bytes, moved: moved) }
    }

    fileprivate func charge(_ number: Int, to payer: Payer) { update { $0.charge(number, to: payer) } }

    /// Makes a change, and then makes connections give way if a limit is exceeded.
    ///
    /// - Parameter change: returns the payer whose bytes may have grown; `nil` if nothing has changed.
    private func update(_ change: (inout State) -> Payer?) {
        let leaving = state.withLock { state -> [@Sendable () -> Void] in
            guard let payer = change(&state) else { return [] }
            var leaving: [@Sendable () -> Void] = []
            if let held = state.payers[payer], held.bytes > limitPerPayer {
                leaving += state.evict(from: held.entries, of: held.bytes, over: limitPerPayer)
            }
            if state.total > limit {
                leaving += state.evict(from: Set(state.entries.keys), of: state.total, over: limit)
            }
            return leaving
        }
        for giveWay in leaving { giveWay() }
    }

    fileprivate func pin(_ number: Int) { state.withLock { $0.entries[number]?.isPinned = true } }

    fileprivate func forget(_ number: Int) { state.withLock { _ = $0.remove(number) } }
}

/// What a ledger counts for one connection. When the share is released, the ledger forgets it.
final class MemoryShare {
    private let number: Int
    private let ledger: MemoryLedger

    fileprivate init(_ number: Int, in ledger: MemoryLedger) {
        self.number = number
        self.ledger = ledger
    }

    deinit { ledger.forget(number) }

    /// Sets how many bytes are held, and when they moved last.
    func hold(_ bytes: Int, moved: MonotonicInstant) { ledger.hold(number, bytes: bytes, moved: moved) }

    /// Charges the bytes to another payer.
    func charge(to payer: Payer) { ledger.charge(number, to: payer) }

    /// Keeps the bytes from giving way until the share is released; others give way instead.
    func pin() { ledger.pin(number) }
}

extension MemoryLedger.State {
    /// Sets the bytes of a share; returns their payer, or `nil` for a share that has given way.
    fileprivate mutating func set(_ number: Int, bytes: Int, moved: MonotonicInstant) -> Payer? {
        guard let entry = entries[number] else { return nil }
        let growth = bytes - entry.bytes
        entries[number]?.bytes = bytes
        entries[number]?.moved = moved
        payers[entry.payer]?.bytes += growth
        total += growth
        return entry.payer
    }

    /// Charges the bytes to another payer; returns the payer, or `nil` if nothing changes.
    fileprivate mutating func charge(_ number: Int, to payer: Payer) -> Payer? {
        guard entries[number]?.payer != payer, var entry = remove(number) else { return nil }
        entry.payer = payer
        entries[number] = entry
        total += entry.bytes
        payers[payer, default: (0, [])].bytes += entry.bytes
        payers[payer]?.entries.insert(number)
        return payer
    }

    /// Removes shares, those that moved least recently first, until the rest without the largest hold a little less
    /// than the limit, so that one search makes room for many of the shares that follow.
    fileprivate mutating func evict(
        from numbers: Set<Int>, of sum: Int, over limit: Int
    ) -> [@Sendable () -> Void] {
        let shares = numbers.compactMap { number in entries[number].map { (number: number, entry: $0) } }
            .sorted { $0.entry.moved < $1.entry.moved }
        guard let most = shares.map(\.entry.bytes).max(), sum - most > limit,
            let largest = shares.last(where: { $0.entry.bytes == most })
        else { return [] }
        var left = sum - most
        var leaving: [@Sendable () -> Void] = []
        for share in shares
        where left > limit - limit / 8 && !share.entry.isPinned && share.number != largest.number {
            left -= share.entry.bytes
            leaving.append(share.entry.giveWay)
            _ = remove(share.number)
        }
        evictions += leaving.count
        return leaving
    }

    fileprivate mutating func remove(_ number: Int) -> MemoryLedger.Entry? {
        guard let entry = entries.removeValue(forKey: number) else { return nil }
        total -= entry.bytes
        payers[entry.payer]?.bytes -= entry.bytes
        payers[entry.payer]?.entries.remove(number)
        if payers[entry.payer]?.entries.isEmpty == true { payers[entry.payer] = nil }
        return entry
    }
}
