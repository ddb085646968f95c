public import Cryptography
public import Shared

/// How an open store is, what an operator does to it, and its end.
public protocol StoreUpkeep: Sendable {
    /// Changes that wait to be written.
    var waitingWrites: Int { get }
    /// Whether reads are answered.
    func isReadable() async -> Bool
    /// Whether changes can be written now: a store that found no room tries again, once.
    func checkWritable() async -> Bool

    /// Whether another program serves the store and this one only writes beside it.
    var isGuest: Bool { get }
    /// Takes in what programs beside this one have changed, until its task is cancelled. The server runs it.
    func heedOthers() async
    /// Whether the server that runs beside this program has taken in its changes; waits for it so long at most. `true`
    /// where no server runs.
    func isHeeded(within patience: Duration) async throws -> Bool

    /// Takes away the passwords that need another key than the one at hand, so that their owners get new ones; answers
    /// how many.
    func forgetPasswords(besides pepper: Pepper?, audit: AuditEntry) async throws -> Int

    /// Lets what is queued finish and closes the store.
    func close() async
}
