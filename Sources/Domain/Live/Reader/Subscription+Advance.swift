import Shared

extension Subscription {
    /// What one look at the newest version comes to.
    enum Step {
        case nothing
        case document(Rendition)
        case current(Revision)
        case ended(EndReason)
        case failed(LiveErrorCode)
    }

    /// Compares what the reader holds with the newest version and moves on to it.
    mutating func advance(in hub: inout Hub) -> Step {
        if hub.isGone(topicID) { return .ended(.gone) }
        if doubt == .wantsRead { doubt = .awaitsRead(hub.freshRead(of: topicID)) }
        if case .awaitsRead(let count) = doubt, !hub.hasRead(count, of: topicID) {
            return wait(for: .document, in: &hub)
        }
        let comparable = held.flatMap { $0.epoch == hub.epochNumber ? $0 : nil }
        guard let version = hub.version(of: topicID) else {
            return wait(for: comparable == nil ? .document : .version, in: &hub)
        }
        if let comparable, comparable.version >= version {
            return comparable.version == version ? confirm(version, in: hub) : doubtHeld(in: &hub)
        }
        guard let rendition = hub.rendition(of: topicID) else { return wait(for: .document, in: &hub) }
        held = Held(epoch: hub.epochNumber, version: version)
        isOwed = false
        doubt = .none
        return .document(rendition)
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
        return wait(for: .document, in: &hub)
    }

    private mutating func wait(for kind: ReadRequest.Kind, in hub: inout Hub) -> Step {
        due = .reading
        if hub.want(kind, of: topicID) { return .nothing }
        return isOwed ? .failed(.unavailable) : .nothing
    }
}
