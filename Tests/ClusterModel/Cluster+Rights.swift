import Live
import Shared

/// How rights are lost and granted, and how other nodes hear of it.
extension Cluster {
    /// Takes away or grants a right, or ends a session, now and then.
    func administer() {
        after(Int64(200 + chance.below(2_500)) * 1_000) { [unowned self] in
            guard !isCalm else { return }
            if let node = nodes.filter(\.isUp).randomElement(&chance) {
                switch chance.below(5) {
                case 0: end(sessionOf: clients[chance.below(clients.count)], on: node)
                case 1, 2: change(chance.right(), isGranted: true, on: node)
                default: change(chance.right(), isGranted: false, on: node)
                }
            }
            administer()
        }
    }

    private func change(_ right: Database.Right, isGranted: Bool, on node: Node) {
        on(node, after: 0) { [unowned self] in
            ask(
                node,
                { [unowned self] database in
                    database.set(right, isGranted: isGranted)
                    if isGranted { silenced[right] = nil }
                    return database.notices.count
                }
            ) { [unowned self] place in
                // Without an answer the log tells, if it was committed.
                guard let place else { return }
                told(.right(right), on: node) { [unowned self] in
                    if !isGranted, database.isLast(place, about: right) { silenced[right] = (now, node.number) }
                }
            }
        }
    }

    private func end(sessionOf client: Client, on node: Node) {
        let (session, account) = (client.session, client.account)
        on(node, after: 0) { [unowned self] in
            ask(node, { $0.end(session, of: account) }) { [unowned self] answer in
                guard answer != nil else { return }
                told(.session(session, of: account), on: node) { [unowned self] in
                    silencedSessions[session] = (now, node.number)
                }
            }
        }
    }

    /// A change of rights is committed: the node's own readers are told, then the call returns.
    private func told(_ notice: Database.Notice, on node: Node, _ returned: @escaping () -> Void) {
        if mistake == .ownReadersLast {
            returned()
            on(node, after: chance.delay()) { [unowned self] in tell(notice, on: node) }
        } else {
            tell(notice, on: node)
            returned()
        }
        for other in nodes where other !== node && other.isUp && !other.isCutOff && !chance.one(in: 3) {
            on(other, after: chance.delay()) { [unowned self] in
                if mistake == .logNotFollowed { tell(notice, on: other) } else { follow(other) }
            }
        }
    }

    private func tell(_ notice: Database.Notice, on node: Node) {
        let revocation: Revocation
        switch notice {
        case .right(let right):
            revocation = .rights(of: AccountID("a\(right.account)"))
            drop(right.account, on: node)
        case .session(let session, let account):
            revocation = .session(SessionID("s\(session)"))
            drop(account, on: node)
        }
        for reader in node.hub.revoke(revocation) {
            if let connection = node.table[reader] { handle(.revoked(revocation), connection, node) }
        }
        pump(node)
    }

    private func drop(_ account: Int, on node: Node) {
        if mistake != .cacheNotDropped { node.news.tell(of: .account(AccountID("a\(account)"))) }
    }

    /// Reads the log of what changes rights, and takes it in.
    func follow(_ node: Node) {
        guard !node.isFollowing else { return }
        node.isFollowing = true
        let (place, began) = (node.place, now)
        ask(node, { Array($0.notices.dropFirst(place)) }) { [unowned self] notices in
            node.isFollowing = false
            guard let notices else { return }
            if mistake != .logNotFollowed {
                for notice in notices { tell(notice, on: node) }
            }
            node.place += notices.count
            node.followedAt = max(node.followedAt, began)
        }
    }
}

extension Chance {
    fileprivate mutating func right() -> Database.Right {
        Database.Right(account: below(2), document: below(Database.documents.count))
    }
}

extension Array {
    /// One of the elements, by the chance of the run.
    func randomElement(_ chance: inout Chance) -> Element? { isEmpty ? nil : self[chance.below(count)] }
}
