public import Shared

/// What a read brought.
public enum ReadOutcome: Sendable {
    /// The document; `nil` when there is none any more.
    case document(LiveDocument?)
    /// The newest version; `nil` when the document is gone.
    case version(Revision?)
    /// A part of what changed in a collection; `nil` when it is gone.
    case rows(LiveRows?)
    /// The store did not answer.
    case failed
}

extension Hub {
    /// Whether reads are to be started.
    public var wantsReads: Bool { !wanted.isEmpty }

    /// The reads to start now. Each has to be answered with `finish`.
    public mutating func takeReads() -> [ReadRequest] {
        var requests: [ReadRequest] = []
        while let id = wanted.popFirst() {
            guard let state = states[id.place] else { continue }
            if case .wanted(let kind) = state.reading {
                let request = request(kind, of: id, state.topic)
                states[id.place]?.reading = .running(serial: request.serial, kind, isStale: false)
                requests.append(request)
            }
            for cursor in state.parts.wanted {
                let request = request(.rows(cursor), of: id, state.topic)
                states[id.place]?.parts.begin(cursor, serial: request.serial)
                requests.append(request)
            }
        }
        return requests
    }

    private mutating func request(_ kind: ReadRequest.Kind, of id: TopicID, _ topic: Topic) -> ReadRequest {
        readSerial &+= 1
        return ReadRequest(topic: topic, kind: kind, topicID: id, serial: readSerial, epochNumber: epochNumber)
    }

    /// Takes in what a read brought and wakes the readers that wait for it.
    public mutating func finish(_ request: ReadRequest, _ outcome: ReadOutcome) {
        if case .rows(let cursor) = request.kind { return finish(request, cursor, outcome) }
        // The answer to a question asked before the topic's present readers joined proves nothing to them.
        guard let state = states[request.topicID.place],
            case .running(request.serial, _, let isStale) = state.reading
        else { return }
        defer { readAgainIfDoubted(request.topicID) }
        switch outcome {
        case .failed, .rows: states[request.topicID.place]?.reading = .failed
        case .document(nil):
            states[request.topicID.place]?.reading = .idle
            states[request.topicID.place]?.content = .gone
        case .document(let document?):
            states[request.topicID.place]?.reading = .idle
            guard adopt(document.revision.epoch, asked: request.epochNumber) else { break }
            take(document, from: request.topicID, isStale: isStale)
        case .version(nil) where state.topic.isCollection:
            states[request.topicID.place]?.reading = .idle
            states[request.topicID.place]?.content = .gone
        case .version(nil):
            states[request.topicID.place]?.reading = .idle
            _ = want(.document, of: request.topicID)
            return
        case .version(let revision?):
            states[request.topicID.place]?.reading = .idle
            guard adopt(revision.epoch, asked: request.epochNumber) else { break }
            states[request.topicID.place]?.isProven = true
            if state.topic.isCollection { states[request.topicID.place]?.readsDone &+= 1 }
            learn(revision.version, of: request.topicID)
        }
        wake(request.topicID)
    }

    private mutating func readAgainIfDoubted(_ id: TopicID) {
        guard states[id.place]?.isDoubted == true else { return }
        states[id.place]?.isDoubted = false
        wantProof(of: id)
    }

    /// Has the store asked what is the newest version.
    mutating func wantProof(of id: TopicID) {
        guard let kind = states[id.place]?.proof else { return }
        _ = want(kind, of: id)
    }

    private mutating func take(_ document: LiveDocument, from id: TopicID, isStale: Bool) {
        guard let state = states[id.place], !state.isGone else { return }
        states[id.place]?.readsDone &+= 1
        states[id.place]?.isProven = true
        let known = state.version ?? -1
        if document.revision.version > known || document.revision.version == known && !state.isContentAtHand {
            let rendition = render(document, of: state.topic)
            states[id.place]?.version = document.revision.version
            states[id.place]?.content = .ready(rendition)
            states[id.place]?.isWarm = true
        } else if !isStale, !state.isContentAtHand {
            // The store contradicts itself; retrying at once would never end.
            states[id.place]?.reading = .failed
        }
    }

    /// Notes that a version exists.
    mutating func learn(_ version: Version, of id: TopicID) {
        guard let state = states[id.place], !state.isGone, version > state.version ?? -1 else { return }
        states[id.place]?.version = version
        states[id.place]?.content = .absent
        states[id.place]?.parts.outdate()
        states[id.place]?.overtakeRead()
    }

    /// Ensures that a read is under way, which wakes waiting readers when it ends. `false` if the last one failed: only
    /// reconciliation tries again.
    mutating func want(_ kind: ReadRequest.Kind, of id: TopicID) -> Bool {
        switch states[id.place]?.reading {
        case .idle:
            states[id.place]?.reading = .wanted(kind)
            wanted.append(id)
        case .wanted(.version):
            states[id.place]?.reading = .wanted(kind)
        case .failed: return false
        case .wanted(.document), .wanted(.rows), .running, nil: break
        }
        return true
    }

    /// The count of reads that prove a version which has to come back before one is sure to have begun after now.
    mutating func freshRead(of id: TopicID) -> UInt16 {
        guard let state = states[id.place] else { return 0 }
        if case .running(_, let kind, _) = state.reading, kind == state.proof {
            states[id.place]?.overtakeRead()
            return state.readsDone &+ 2
        }
        return state.readsDone &+ 1
    }

    /// Whether that many such reads have come back.
    func hasRead(_ count: UInt16, of id: TopicID) -> Bool {
        guard let state = states[id.place] else { return false }
        return Int16(bitPattern: state.readsDone &- count) >= 0
    }
}
