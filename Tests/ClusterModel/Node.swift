import Live
import Shared

/// A server of the cluster: the real hub, readers and caches, and a shell that carries out what they ask for.
final class Node {
    struct PermissionKey: Hashable {
        let account: Int
        let session: Int
        let document: Int
    }

    let number: Int
    /// How far its clock is off, in microseconds.
    let offset: Int64
    var hub: Hub
    var table = SubscriberTable<Connection>()
    let news = AccessNews(places: 64)
    /// Granted permissions, and the access version on which each rests.
    let permissions: AccessCache<PermissionKey, Int>
    /// How far it has followed the log of what changes rights, and when the read began that reached the log's end.
    var place: Int
    var followedAt: Int64
    /// Rises with every start; what was planned for an earlier one is void.
    var life = 0
    var isUp = true
    var isPaused = false
    /// Whether it reaches the database.
    var isCutOff = false
    /// What waits for the end of a pause.
    var deferred: [() -> Void] = []
    var isSweeping = false
    var isFollowing = false
    var isPumping = false
    var isWorking = false
    var isProjecting = false

    init(_ number: Int, offset: Int64, epoch: Epoch, place: Int, at moment: Int64) {
        self.number = number
        self.offset = offset
        self.place = place
        followedAt = moment
        hub = Hub(epoch: epoch, limits: Self.limits, seed: UInt64(moment)) { "/\($0)" }
        permissions = AccessCache(capacity: 1_000, news: news)
    }

    /// Small enough that every limit of the algorithm is met in a short run.
    static var limits: LiveLimits {
        var limits = LiveLimits()
        limits.slice = 2
        limits.sweepBatch = 2
        limits.documentBytes = 256
        limits.pongTime = .seconds(3_600)
        return limits
    }

    /// How long a node trusts what it knows of rights after the last look at the log, in microseconds.
    static let trust: Int64 = 2_000_000
}
