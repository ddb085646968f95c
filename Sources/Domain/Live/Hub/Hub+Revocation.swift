import Shared

extension Hub {
    /// Enters a reader under the account and credential on whose behalf it reads.
    mutating func enter(_ reader: SubscriberID, under identity: LiveIdentity) {
        accounts[identity.account, default: .none].insert(reader)
        credentials[identity.credential, default: .none].insert(reader)
    }

    /// Lets a reader go from its account and credential.
    mutating func remove(_ reader: SubscriberID, under identity: LiveIdentity) {
        accounts[identity.account]?.remove(reader)
        if accounts[identity.account]?.isEmpty == true { accounts[identity.account] = nil }
        credentials[identity.credential]?.remove(reader)
        if credentials[identity.credential]?.isEmpty == true { credentials[identity.credential] = nil }
    }

    private mutating func revokeEverything() -> [SubscriberID] {
        var readers = Set(accounts.values.flatMap(\.elements))
        for (index, state) in states.enumerated() {
            guard let state else { continue }
            readers.formUnion(state.readers.elements)
            guard state.topic.isShared || state.topic.isFeed else { continue }
            withdrawDocument(of: TopicID(index: UInt32(truncatingIfNeeded: index)))
        }
        return readers.sorted()
    }

    /// Takes note of a revocation.
    ///
    /// - Returns: the readers to notify; from that moment each sends nothing that it may no longer send.
    public mutating func revoke(_ revocation: Revocation) -> [SubscriberID] {
        revocations &+= 1
        switch revocation {
        case .session(let session): return credentials[.session(session)]?.elements ?? []
        case .token(let token): return credentials[.token(token)]?.elements ?? []
        case .account(let account, _), .rights(let account):
            // What the feed tells of its reader's own records may rest on a right that ended.
            if let id = id(of: .feed(account)) { withdrawDocument(of: id) }
            return accounts[account]?.elements ?? []
        case .topics(let topics):
            var readers: Set<SubscriberID> = []
            for topic in topics.flatMap({ grids(beside: $0) }) {
                guard let id = id(of: topic), let state = states[id.place] else { continue }
                readers.formUnion(state.readers.elements)
                // Another choice of the student may also show less, to those who follow the record and in feeds.
                if topic.isShared || topic.isFeed { withdrawDocument(of: id) }
            }
            return readers.sorted()
        case .everything: return revokeEverything()
        }
    }

    /// What concerns all rows of a class concerns those of its groups.
    func grids(beside topic: Topic) -> [Topic] {
        if case .grid(let id, nil) = topic { grids(of: id) } else { [topic] }
    }
}
