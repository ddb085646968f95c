import Synchronization
import TestKit
import Testing
import Threads

@testable import Application

/// The thread is held by a first piece of work until all others are in line.
@Suite struct PasswordWorkersTests {
    private let workers = PasswordWorkers(threads: 1, capacity: 6, capacityOfPayer: 4)
    private let gate = BlockingQueue<Int>()
    private let done = Recorder<String>()

    /// Puts pieces in line, one after the other; each is a payer's name and where it asks from.
    private func line(_ pieces: [(name: String, source: String)]) async throws -> [Task<Bool, Never>] {
        var tasks: [Task<Bool, Never>] = []
        for piece in pieces {
            let (isSettled, before) = (Atomic(), workers.waiting)
            tasks.append(
                Task { [workers, done] in
                    defer { isSettled.set() }
                    let payer = PasswordPayer(source: piece.source, name: piece.name)
                    return (try? await workers.run(for: payer) { done.record(piece.name) }) != nil
                })
            while workers.waiting == before, !isSettled.value { await Task.yield() }
        }
        return tasks
    }

    private final class Atomic: Sendable {
        private let state = Mutex(false)
        var value: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    @Test func `addresses take turns, and at an address accounts do, whichever came first`() async throws {
        let isHeld = Atomic()
        let first = Task { [workers, gate] in
            try await workers.run(for: PasswordPayer(source: "x", name: "x")) {
                isHeld.set()
                _ = gate.next()
            }
        }
        while !isHeld.value { await Task.yield() }
        let many = (0..<5).map { _ in (name: "greedy", source: "here") }
        var tasks = try await line(many + [("neighbour", "here"), ("other", "there")])
        #expect(workers.waiting == 6)
        // The fifth was one too many of its payer. Nothing more waits, but one who has nothing in line is taken.
        let late = Task { [workers, done] in
            try await workers.run(for: PasswordPayer(source: "yonder", name: "late")) { done.record("late") }
        }
        #expect(await !tasks.remove(at: 3).value)
        #expect(await !tasks.remove(at: 3).value)
        _ = gate.push(1)
        for task in tasks { #expect(await task.value) }
        try await first.value
        try await late.value
        #expect(done.items == ["greedy", "other", "late", "neighbour", "greedy", "greedy"])
    }
}
