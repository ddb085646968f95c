import Shared

extension Subscription {
    /// What one look at the newest version comes to.
    enum Step {
        case nothing
        case document(Rendition)
        /// A part of what changed; `isMore` when there is something to follow it.
        case rows(RowsMessage, isMore: Bool)
        case current(Revision)
        case ended(EndReason)
        case failed(LiveErrorCode)
    }

    /// Compares what the reader holds with the newest version and moves on to it.
    mutating func advance(in hub: inout Hub) -> Step {
        if hub.isGone(topicID) { return .ended(.gone) }
        let proof = hub.proof(of: topicID)
        if doubt == .wantsRead { doubt = .awaitsRead(hub.freshRead(of: topicID)) }
        if case .awaitsRead(let count) = doubt, !hub.hasRead(count, of: topicID) {
            return wait(for: proof, in: &hub)
        }
        let comparable = held.flatMap { $0.epoch == hub.epochNumber ? $0 : nil }
        guard let version = hub.version(of: topicID) else {
            return wait(for: comparable == nil ? proof : .version, in: &hub)
        }
        if case .within(let sequence) = progress {
            if sequence.epoch == hub.epochNumber { return part(at: sequence.cursor, version, in: &hub) }
            progress = .none
        }
        if let comparable, comparable.version >= version {
            return comparable.version == version ? confirm(version, in: hub) : doubtHeld(in: &hub)
        }
        if proof == .version {
            return part(at: RowsCursor(since: comparable?.version ?? 0), version, in: &hub)
        }
        guard let rendition = hub.rendition(of: topicID) else { return wait(for: .document, in: &hub) }
        held = Held(epoch: hub.epochNumber, version: version)
        isOwed = false
        doubt = .none
        return .document(rendition)
    }

    /// The next part of a sequence. The reader holds the sequence's version only behind its last part.
    private mutating func part(at cursor: RowsCursor, _ newest: Version, in hub: inout Hub) -> Step {
        guard let message = hub.part(at: cursor, of: topicID) else {
            due = .reading
            if hub.wantPart(at: cursor, of: topicID) { return .nothing }
            return isOwed ? .failed(.unavailable) : .nothing
        }
        let version = message.rows.revision.version
        if let next = message.rows.next {
            let cursor = RowsCursor(since: cursor.since, sequence: version, after: next)
            progress = .within(Sequence(epoch: hub.epochNumber, cursor: cursor))
            return .rows(message, isMore: true)
        }
        progress = .none
        held = Held(epoch: hub.epochNumber, version: version)
        isOwed = false
        doubt = .none
        return .rows(message, isMore: version < newest)
    }

    private mutating func confirm(_ version: Version, in hub: Hub) -> Step {
        doubt = .none
        guard isOwed else { return .nothing }
        isOwed = false
        return .current(Revision(epoch: hub.epoch, version: version))
    }

    /// The client's version is newer than this loop's. Either another loop saw the commit first, which a read confirms,
    /// or the version never existed.
    private mutating func doubtHeld(in hub: inout Hub) -> Step {
        guard doubt == .none else { return .ended(.reset) }
        doubt = .awaitsRead(hub.freshRead(of: topicID))
        return wait(for: hub.proof(of: topicID), in: &hub)
    }

    private mutating func wait(for kind: ReadRequest.Kind, in hub: inout Hub) -> Step {
        due = .reading
        if hub.want(kind, of: topicID) { return .nothing }
        return isOwed ? .failed(.unavailable) : .nothing
    }
}
