public import Records
public import RelationalStore
public import Shared
import TestKit

// What life does to a store in a relational database, whichever it is.
extension RelationalStore {
    /// Begins a change that raises a subject's access version, and has it fail before it is done.
    public func failToRaiseAccess(of subject: AccessSubject) async throws {
        struct Refusal: Error {}
        do {
            try await write { transaction in
                try transaction.raiseAccess(of: subject)
                throw Refusal()
            }
        } catch is Refusal {}
    }

    /// Runs changes in one batch; returns each one's end, in order.
    public func inOneBatch(_ changes: [@Sendable (any RecordStore) async throws -> Void]) async -> [(any Error)?] {
        let gate = Gate()
        let holder = Task { try await write { _ in gate.pass() } }
        await gate.waitUntilReached()
        var running: [Task<Void, any Error>] = []
        for change in changes {
            running.append(Task { try await change(self) })
            while waitingWrites < running.count { await Task.yield() }
        }
        gate.open()
        _ = await holder.result
        var ends: [(any Error)?] = []
        for task in running {
            do {
                try await task.value
                ends.append(nil)
            } catch {
                ends.append(error)
            }
        }
        return ends
    }
}
