import GradingKit
import Live
import Shared

/// The truth of the model: documents with their whole history, rights and sessions.
struct ModelStore {
    struct Moment {
        let revision: Revision
        let at: Int64
    }

    struct Right: Hashable {
        let account: Int
        let topic: Int
    }

    static let documents: [Topic] = [
        .standing(RecordID("r1"), .released), .standing(RecordID("r1"), .staff), .record(RecordID("r2"), .released),
        .program(ProgramID("p1")),
    ]

    var epochNumber = 1
    var history: [[Moment]]
    var isDeleted: [Bool]
    var rights: Set<Right> = []
    var deadSessions: Set<Int> = []
    /// Reads and sweeps fail while the store is down.
    var isDown = false

    init(accounts: Int) {
        let first = Moment(revision: Revision(epoch: Epoch("e1"), version: 1), at: 0)
        history = Self.documents.map { _ in [first] }
        isDeleted = Self.documents.map { _ in false }
        for account in 0..<accounts {
            for topic in Self.documents.indices { rights.insert(Right(account: account, topic: topic)) }
        }
    }

    var epoch: Epoch { Epoch("e\(epochNumber)") }

    func newest(_ topic: Int) -> Revision? {
        isDeleted[topic] ? nil : history[topic].last?.revision
    }

    mutating func commit(_ topic: Int, at now: Int64) -> Revision? {
        guard let last = newest(topic) else { return nil }
        let next = Revision(epoch: epoch, version: last.version + 1)
        history[topic].append(Moment(revision: next, at: now))
        return next
    }

    /// A backup of some versions ago comes back under a new epoch.
    mutating func restore(losing versions: Int, at now: Int64) {
        epochNumber += 1
        for topic in history.indices {
            let version = max(1, (history[topic].last?.revision.version ?? 1) - versions)
            history[topic].append(Moment(revision: Revision(epoch: epoch, version: version), at: now))
        }
    }

    mutating func delete(_ topic: Int) { isDeleted[topic] = true }

    /// When something newer than `revision` was committed; `nil` while it is the newest.
    func superseded(_ topic: Int, _ revision: Revision) -> Int64? {
        guard let index = history[topic].firstIndex(where: { $0.revision == revision }) else { return 0 }
        return index + 1 < history[topic].count ? history[topic][index + 1].at : nil
    }

    func mayRead(account: Int, session: Int, topic: Int) -> Bool {
        !deadSessions.contains(session) && !isDeleted[topic] && rights.contains(Right(account: account, topic: topic))
    }

    /// What the document says is a function of its place in time, so that the reader can check all of it.
    static func body(_ topic: Topic, _ revision: Revision) -> [UInt8] {
        Array("{\"is\":\"\(topic) at \(revision)\"}".utf8)
    }
}
