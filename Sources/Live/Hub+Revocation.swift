import Storage

extension Hub {
    /// Enters a reader under the account on whose behalf it reads.
    mutating func enter(_ reader: SubscriberID, under account: AccountID) {
        accounts[account, default: .none].insert(reader)
    }

    /// Lets a reader go from its account.
    mutating func remove(_ reader: SubscriberID, under account: AccountID) {
        accounts[account]?.remove(reader)
        if accounts[account]?.isEmpty == true { accounts[account] = nil }
    }

    /// Takes note of a revocation.
    ///
    /// - Returns: the readers to be told, each of which sends nothing it may no longer send from the moment it knows.
    public mutating func revoke(_ revocation: Revocation) -> [SubscriberID] {
        revocations &+= 1
        switch revocation {
        case .session(_, let account), .account(let account, _), .rights(let account):
            return accounts[account]?.elements ?? []
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
