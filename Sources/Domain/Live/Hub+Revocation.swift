import Shared

extension Hub {
    /// Enters a reader under the account and session on whose behalf it reads.
    mutating func enter(_ reader: SubscriberID, under identity: LiveIdentity) {
        accounts[identity.account, default: .none].insert(reader)
        sessions[identity.session, default: .none].insert(reader)
    }

    /// Lets a reader go from its account and session.
    mutating func remove(_ reader: SubscriberID, under identity: LiveIdentity) {
        accounts[identity.account]?.remove(reader)
        if accounts[identity.account]?.isEmpty == true { accounts[identity.account] = nil }
        sessions[identity.session]?.remove(reader)
        if sessions[identity.session]?.isEmpty == true { sessions[identity.session] = nil }
    }

    /// Takes note of a revocation.
    ///
    /// - Returns: the readers to notify; from that moment each sends nothing that it may no longer send.
    public mutating func revoke(_ revocation: Revocation) -> [SubscriberID] {
        revocations &+= 1
        switch revocation {
        case .session(let session): return sessions[session]?.elements ?? []
        case .account(let account, _), .rights(let account): return accounts[account]?.elements ?? []
        case .topics(let topics):
            var readers: Set<SubscriberID> = []
            for topic in topics {
                guard let id = channel(of: topic), let channel = channels[id.place] else { continue }
                readers.formUnion(channel.readers.elements)
            }
            return readers.sorted()
        }
    }
}
