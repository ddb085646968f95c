public import Shared

/// One version of a document, as its GET answers it.
public struct LiveDocument: Sendable, Equatable {
    /// Its place in time.
    public let revision: Revision
    /// Its JSON text.
    public let bytes: [UInt8]

    /// A version of a document.
    public init(revision: Revision, bytes: [UInt8]) {
        self.revision = revision
        self.bytes = bytes
    }
}

/// What a committed change makes of a topic; posted to every loop in commit order.
public struct TopicUpdate: Sendable {
    /// What became of the document.
    public enum Change: Sendable {
        /// A new version. It is composed only for subscribers, at most once a loop, and may be left out.
        case document(@Sendable () -> [UInt8])
        /// A new version of a collection, whose rows are read by those who want them.
        case rows
        /// It is gone for good.
        case deleted
    }

    /// The document.
    public let topic: Topic
    /// The place in time of the change.
    public let revision: Revision
    /// What became of it.
    public let change: Change

    /// An update.
    public init(topic: Topic, revision: Revision, change: Change) {
        self.topic = topic
        self.revision = revision
        self.change = change
    }
}

/// Where documents come from when no update brought them. Asked off the loops.
public protocol DocumentSource: Sendable {
    /// The newest committed version of a document; `nil` when there is none.
    func document(_ topic: Topic) async throws -> LiveDocument?

    /// One part of what changed in a collection; `nil` when there is none such. The version is read before the rows.
    func rows(_ topic: Topic, at cursor: RowsCursor) async throws -> LiveRows?

    /// The newest committed version of each topic, in the same order; `nil` for what is gone.
    func versions(of topics: [Topic]) async throws -> TopicVersions
}

/// The answer to the sweep.
public struct TopicVersions: Sendable {
    /// The store's epoch, as it is stored when the versions are read.
    public let epoch: Epoch
    /// One for each topic asked about, in that order.
    public let versions: [Version?]

    /// Versions in the order of the topics asked about.
    public init(epoch: Epoch, versions: [Version?]) {
        self.epoch = epoch
        self.versions = versions
    }
}

/// Who says what a token stands for and who may read what. Asked off the loops.
public protocol LiveAuthority: Sendable {
    /// What a token or ticket stands for, shown from an address.
    func authenticate(token: String, from source: String) async -> Authentication

    /// Whether a session that was good a moment ago still is.
    func confirm(_ identity: LiveIdentity) async -> Authentication

    /// Whether the topic may be read; a guest has no identity. Denied to a session that has ended.
    func permission(to topic: Topic, for identity: LiveIdentity?) async -> Permission
}
