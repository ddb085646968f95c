public import Cryptography
public import Shared

/// The condition, maintenance and closing of an open store.
public protocol StoreUpkeep: Sendable {
    /// The number of changes waiting to be written.
    var waitingWrites: Int { get }
    /// How long commits take.
    var commits: CommitTimes { get }
    /// The size of the database in bytes, with a log that lies beside it; it may be a minute old.
    var size: Int { get }
    /// Returns whether the store can be read.
    func isReadable() async -> Bool
    /// Returns whether changes can be written. A store whose disk was full, or whose database could not be reached, makes
    /// one new attempt.
    func checkWritable() async -> Bool
    /// Why changes are refused at this moment, in words for an operator; `nil` if nothing is known to prevent them.
    var obstacle: String? { get }

    /// Whether another program serves the store and this one only writes beside it.
    var isGuest: Bool { get }
    /// Processes the changes of programs beside this one until its task is cancelled. Run by the server.
    ///
    /// Over a database that other nodes serve too, nothing that is kept in memory of sessions and permissions is trusted
    /// unless this runs.
    ///
    /// - Parameter nodes: receives what other nodes tell.
    func heedOthers(_ nodes: OtherNodes) async
    /// Returns whether the running servers have processed this program's changes; waits for that up to `time`.
    /// `true` if no other server is running.
    func isHeeded(within time: Duration) async throws -> Bool
    /// Tells other nodes of a change, soon and without a promise.
    func tellOthers(_ wakeUp: WakeUp)
    /// The clock of the store, by which all nodes go.
    var clock: WallClock { get }

    /// Deletes the passwords that need another pepper than the one in use, so that their owners choose new ones.
    /// Returns their number.
    func forgetPasswords(besides pepper: Pepper?, audit: AuditEntry) async throws -> Int

    /// Finishes queued work and closes the store.
    func close() async
}

extension StoreUpkeep {
    /// Processes the changes of programs beside this one, and has nobody to tell of other nodes.
    public func heedOthers() async { await heedOthers(OtherNodes()) }
}
