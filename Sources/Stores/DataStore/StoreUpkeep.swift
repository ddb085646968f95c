public import Cryptography
public import Shared

/// The condition, maintenance and closing of an open store.
public protocol StoreUpkeep: Sendable {
    /// The number of changes waiting to be written.
    var waitingWrites: Int { get }
    /// Returns whether the store can be read.
    func isReadable() async -> Bool
    /// Returns whether changes can be written. A store whose disk was full makes one new attempt.
    func checkWritable() async -> Bool

    /// Whether another program serves the store and this one only writes beside it.
    var isGuest: Bool { get }
    /// Processes the changes of programs beside this one until its task is cancelled. Run by the server.
    func heedOthers() async
    /// Returns whether the running server has processed this program's changes; waits for that up to `patience`. `true`
    /// if no server is running.
    func isHeeded(within patience: Duration) async throws -> Bool

    /// Deletes the passwords that need another pepper than the one in use, so that their owners choose new ones.
    /// Returns their number.
    func forgetPasswords(besides pepper: Pepper?, audit: AuditEntry) async throws -> Int

    /// Finishes queued work and closes the store.
    func close() async
}
