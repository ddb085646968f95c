public import Shared

/// What a read brought.
public enum ReadOutcome: Sendable {
    /// The document; `nil` when there is none any more.
    case document(LiveDocument?)
    /// The newest version; `nil` when the document is gone.
    case version(Revision?)
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
            guard let channel = channels[id.place], case .wanted(let kind) = channel.reading else { continue }
            readSerial &+= 1
            channels[id.place]?.reading = .running(serial: readSerial, kind, isStale: false)
            requests.append(
                ReadRequest(topic: channel.topic, kind: kind, channel: id, serial: readSerial, epochNumber: epochNumber)
            )
        }
        return requests
    }

    /// Takes in what a read brought and wakes the readers that wait for it.
    public mutating func finish(_ request: ReadRequest, _ outcome: ReadOutcome) {
        // The answer to a question asked before the channel's present readers joined proves nothing to them.
        guard let channel = channels[request.channel.place],
            case .running(request.serial, _, let isStale) = channel.reading
        else { return }
        switch outcome {
        case .failed: channels[request.channel.place]?.reading = .failed
        case .document(nil):
            channels[request.channel.place]?.reading = .idle
            channels[request.channel.place]?.content = .gone
        case .document(let document?):
            channels[request.channel.place]?.reading = .idle
            guard adopt(document.revision.epoch, asked: request.epochNumber) else { break }
            take(document, from: request.channel, isStale: isStale)
        case .version(nil):
            channels[request.channel.place]?.reading = .idle
            _ = want(.document, of: request.channel)
            return
        case .version(let revision?):
            channels[request.channel.place]?.reading = .idle
            guard adopt(revision.epoch, asked: request.epochNumber) else { break }
            channels[request.channel.place]?.isProven = true
            learn(revision.version, of: request.channel)
        }
        wake(request.channel)
    }

    private mutating func take(_ document: LiveDocument, from id: ChannelID, isStale: Bool) {
        guard let channel = channels[id.place], !channel.isGone else { return }
        channels[id.place]?.readsDone &+= 1
        channels[id.place]?.isProven = true
        let known = channel.version ?? -1
        if document.revision.version > known || document.revision.version == known && !channel.isContentAtHand {
            let rendition = Rendition(document, of: channel.topic, limit: limits.documentBytes)
            channels[id.place]?.version = document.revision.version
            channels[id.place]?.content = .ready(rendition)
            channels[id.place]?.isWarm = true
        } else if !isStale, !channel.isContentAtHand {
            // The store contradicts itself; retrying at once would never end.
            channels[id.place]?.reading = .failed
        }
    }

    /// Notes that a version exists.
    mutating func learn(_ version: Version, of id: ChannelID) {
        guard let channel = channels[id.place], !channel.isGone, version > channel.version ?? -1 else { return }
        channels[id.place]?.version = version
        channels[id.place]?.content = .absent
        channels[id.place]?.overtakeRead()
    }

    /// Ensures that a read is under way, which wakes waiting readers when it ends. `false` if the last one failed: only
    /// reconciliation tries again.
    mutating func want(_ kind: ReadRequest.Kind, of id: ChannelID) -> Bool {
        switch channels[id.place]?.reading {
        case .idle:
            channels[id.place]?.reading = .wanted(kind)
            wanted.append(id)
        case .wanted(.version):
            channels[id.place]?.reading = .wanted(kind)
        case .failed: return false
        case .wanted(.document), .running, nil: break
        }
        return true
    }

    /// The count of document reads that has to come back before one is sure to have begun after now.
    mutating func freshRead(of id: ChannelID) -> UInt16 {
        guard let channel = channels[id.place] else { return 0 }
        if case .running(_, .document, _) = channel.reading {
            channels[id.place]?.overtakeRead()
            return channel.readsDone &+ 2
        }
        return channel.readsDone &+ 1
    }

    /// Whether that many document reads have come back.
    func hasRead(_ count: UInt16, of id: ChannelID) -> Bool {
        guard let channel = channels[id.place] else { return false }
        return Int16(bitPattern: channel.readsDone &- count) >= 0
    }
}
