/// Lets so many tests at once use the server that all share, as it has room for only so many connections.
actor Turns {
    /// The turns of those who each have a store.
    static let ofStores = Turns(16)
    /// The turns of those whose changes are to meet, which they seldom do on a busy machine.
    static let ofCrossings = Turns(2)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { free = count }

    /// Does something when its turn has come.
    nonisolated func take<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        await wait()
        do {
            let value = try await body()
            await giveBack()
            return value
        } catch {
            await giveBack()
            throw error
        }
    }

    private func wait() async {
        guard free == 0 else { return free -= 1 }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func giveBack() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
