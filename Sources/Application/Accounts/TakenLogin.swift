import Accounts
import GradingKit
import Shared

/// Runs a write that stores a login, and reports a taken login as a fault at `/login`.
func refusingTakenLogin<Value: Sendable>(_ write: () async throws -> Value) async throws -> Value {
    do {
        return try await write()
    } catch StoreError.taken(field: "login") {
        throw FaultList([Fault(.loginTaken, at: "/login")])
    }
}
