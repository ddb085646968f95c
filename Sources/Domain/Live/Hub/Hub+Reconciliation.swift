public import Shared

/// Where the sweep stands: one pass goes through all topics in batches.
enum Reconciliation {
    case idle
    /// Up to `cursor` the topics have been handed out, since `begun`.
    case running(cursor: Int, begun: Timestamp)
}

/// Topics whose newest versions are to be compared with what the loop knows.
public struct SweepBatch: Sendable {
    /// What to ask for; may be empty, the answer then proves that the store is there.
    public let topics: [Topic]
    let ids: [TopicID]
    var begun: Timestamp
    let isLast: Bool
    let epochNumber: UInt32
}

extension Hub {
    /// The next batch of the sweep, the first of a new pass if none is under way. Each is to be answered with `finish`
    /// before the next is taken; the pass is over when `finish` says so.
    public mutating func nextSweepBatch(at now: Timestamp) -> SweepBatch {
        if case .idle = sweep { presence.sweep() }
        let (cursor, begun) =
            switch sweep {
            case .idle: (0, now)
            case .running(let cursor, let begun): (cursor, begun)
            }
        let end = min(states.count, cursor + max(1, limits.sweepBatch))
        var topics: [Topic] = []
        var ids: [TopicID] = []
        for index in min(cursor, end)..<end {
            guard let state = states[index], !state.isGone else { continue }
            letGoOfContent(at: index)
            topics.append(state.topic)
            ids.append(TopicID(index: UInt32(truncatingIfNeeded: index)))
        }
        sweep = .running(cursor: end, begun: begun)
        return SweepBatch(
            topics: topics, ids: ids, begun: begun, isLast: end == states.count, epochNumber: epochNumber)
    }

    /// Takes in the newest versions, `nil` when the store did not answer, and marks what is behind.
    ///
    /// - Returns: whether the pass is over.
    public mutating func finish(_ batch: SweepBatch, _ answer: TopicVersions?) -> Bool {
        guard let answer, answer.versions.count == batch.topics.count, adopt(answer.epoch, asked: batch.epochNumber)
        else {
            sweep = .idle
            return true
        }
        for (place, id) in batch.ids.enumerated() {
            // Another topic may have taken the place meanwhile.
            guard states[id.place]?.topic == batch.topics[place] else { continue }
            compare(id, with: answer.versions[place])
        }
        guard batch.isLast else { return false }
        sweep = .idle
        asOf = max(asOf ?? batch.begun, batch.begun)
        return true
    }

    private mutating func compare(_ id: TopicID, with version: Version?) {
        guard let state = states[id.place] else { return }
        let hasFailedPart = states[id.place]?.parts.forgetFailed() == true
        if state.reading == .failed || hasFailedPart {
            if state.reading == .failed { states[id.place]?.reading = .idle }
            wake(id)
        }
        guard let version else {
            wantProof(of: id)
            return
        }
        states[id.place]?.isProven = true
        if let known = state.version, version <= known { return }
        learn(version, of: id)
        wake(id)
    }

    /// Documents are kept from one sweep to the next and longer only if they are used.
    private mutating func letGoOfContent(at index: Int) {
        states[index]?.parts.letGo()
        guard let state = states[index], state.isContentAtHand else { return }
        if state.isWarm {
            states[index]?.isWarm = false
        } else {
            states[index]?.content = .absent
        }
    }
}
