import Live
import Shared

/// What happens to the cluster: starts, accidents, clients and their changes.
extension Cluster {
    /// A node begins to work.
    func begin(_ node: Node) {
        if mistake != .wakeUpsAlone { every(2_000_000, on: node) { [unowned self] in sweep(node) } }
        every(250_000, on: node) { [unowned self] in follow(node) }
        every(500_000, on: node) { [unowned self] in project(node) }
        every(1_000_000, on: node) { [unowned self] in claim(node) }
        every(1_000_000, on: node) { [unowned self] in
            for connection in node.table.readers {
                if let deadline = connection.reader.deadline, deadline <= clock(node) {
                    handle(.tick, connection, node)
                }
            }
        }
    }

    // MARK: Accidents

    func accident() {
        after(Int64(100 + chance.below(3_000)) * 1_000) { [unowned self] in
            guard !isCalm else { return }
            let node = nodes[chance.below(nodes.count)]
            switch chance.below(8) {
            case 0: if databaseIsUp { restart(node) }
            case 1, 2: pause(node)
            case 3, 4: cutOff(node)
            case 5: crashDatabase()
            case 6: if chance.one(in: 2) { restore() }
            default:
                if let connection = node.table.readers.randomElement(&chance) { disconnect(connection, from: node) }
            }
            accident()
        }
    }

    /// The process ends and begins again; what was in its memory is lost.
    private func restart(_ node: Node) {
        node.isUp = false
        for connection in node.table.readers {
            connection.isClosed = true
            if connection.client.connection === connection { connection.client.connection = nil }
        }
        let number = node.number
        after(chance.delay() + 50_000) { [unowned self] in
            let next = Node(
                number, offset: node.offset, epoch: database.epoch, place: database.notices.count, at: now)
            nodes[number] = next
            begin(next)
        }
    }

    private func pause(_ node: Node) {
        guard !node.isPaused else { return }
        node.isPaused = true
        after(Int64(50 + chance.below(chance.one(in: 3) ? 40_000 : 3_000)) * 1_000) { [unowned self] in resume(node) }
    }

    private func resume(_ node: Node) {
        guard node.isPaused else { return }
        node.isPaused = false
        let waiting = node.deferred
        node.deferred = []
        guard node.isUp else { return }
        for act in waiting { act() }
    }

    private func cutOff(_ node: Node) {
        node.isCutOff = true
        after(Int64(50 + chance.below(6_000)) * 1_000) { node.isCutOff = false }
    }

    private func crashDatabase() {
        guard databaseIsUp else { return }
        databaseIsUp = false
        databaseLife += 1
        after(Int64(50 + chance.below(3_000)) * 1_000) { [unowned self] in databaseIsUp = true }
    }

    private func restore() {
        database.restore(losing: chance.below(3), underNewEpoch: mistake != .sameEpochAfterRestore)
    }

    func endFaults() {
        isCalm = true
        databaseIsUp = true
        for node in nodes {
            node.isCutOff = false
            resume(node)
        }
    }

    // MARK: Clients

    func live(_ client: Client) {
        after(Int64(100 + chance.below(900)) * 1_000) { [unowned self] in
            act(client)
            live(client)
        }
    }

    private func act(_ client: Client) {
        guard let connection = client.connection else {
            if database.endedSessions.contains(client.session) {
                client.session = sessions
                sessions += 1
            }
            if let node = nodes.filter(\.isUp).randomElement(&chance) { connect(client, to: node) }
            return
        }
        guard let node = nodes.first(where: { $0.table[connection.id] === connection }) else { return }
        for document in Database.documents.indices where client.lacks(document) {
            let mayRead = database.mayRead(account: client.account, session: client.session, document: document)
            if isCalm ? mayRead : chance.one(in: 3) {
                send(client.subscribe(document), over: connection, to: node)
            }
        }
    }

    // MARK: Changes

    /// Clients change documents, now and then.
    func write() {
        after(Int64(20 + chance.below(800)) * 1_000) { [unowned self] in
            guard !isCalm else { return }
            keys += 1
            submit(keys, for: clients[chance.below(clients.count)], chance.below(Database.documents.count))
            write()
        }
    }

    private func submit(_ key: Int, for client: Client, _ document: Int) {
        let again: () -> Void = { [unowned self] in
            after(500_000) { [unowned self] in submit(key, for: client, document) }
        }
        guard let node = nodes.filter({ $0.isUp && !$0.isPaused }).randomElement(&chance) else { return again() }
        if mistake == .acknowledgesEarly { acknowledged.append(key) }
        let permit = Node.PermissionKey(account: client.account, session: client.session, document: document)
        var isAnswered = false
        on(node, after: chance.delay()) { [unowned self] in
            permission(permit, on: node) { [unowned self] isGranted, version in
                guard isGranted == true else { return isAnswered = isGranted != nil }
                change(document, key, permit, version, on: node) { isDecided in isAnswered = isDecided }
            }
        }
        // A client that hears nothing repeats its request, under the same key, to any node.
        after(4_000_000) { if !isAnswered { again() } }
    }

    /// Makes a change under its key; `end` says whether the client was answered.
    private func change(
        _ document: Int, _ key: Int, _ permit: Node.PermissionKey, _ version: Int, on node: Node,
        end: @escaping (Bool) -> Void
    ) {
        if mistake == .tellsBeforeCommit {
            let next = Revision(epoch: database.epoch, version: database.versions[document] + 1)
            publish(next, of: document, on: node)
        }
        guard mistake == .numberBeforeLock else { return commit(document, key, nil, permit, version, on: node, end) }
        ask(node, { $0.nextNumber() }) { [unowned self] number in
            guard let number else { return }
            commit(document, key, number, permit, version, on: node, end)
        }
    }

    private enum Outcome {
        case done(Revision, isReplay: Bool)
        case refused
    }

    private func commit(
        _ document: Int, _ key: Int, _ number: Int?, _ permit: Node.PermissionKey, _ version: Int, on node: Node,
        _ end: @escaping (Bool) -> Void
    ) {
        let isApart = mistake == .keyApart
        ask(
            node,
            { [unowned self] database -> Outcome in
                if let kept = database.answers[key] { return .done(kept, isReplay: true) }
                guard mistake == .permitNotCompared || database.accessVersions[permit.account] ?? 0 == version else {
                    return .refused
                }
                if silenced[Database.Right(account: permit.account, document: document)] != nil {
                    fault("silence: account \(permit.account) changed document \(document) after it lost the right")
                }
                let made = database.change(
                    document, key: key, as: number ?? database.nextNumber(), keepsAnswer: !isApart)
                return .done(made, isReplay: false)
            }
        ) { [unowned self] outcome in
            switch outcome {
            case nil: break
            // The permission may have been another's than the stored one for a moment; the client asks again.
            case .refused?: end(false)
            case .done(let revision, let isReplay)?:
                if !isReplay { publish(revision, of: document, on: node) }
                guard isApart else {
                    acknowledged.append(key)
                    return end(true)
                }
                ask(node, { $0.keep(revision, under: key) }) { [unowned self] kept in
                    guard kept != nil else { return }
                    acknowledged.append(key)
                    end(true)
                }
            }
        }
    }

    /// Tells the node's own readers of a change, and the other nodes by a wake-up that may be lost, late or doubled.
    private func publish(_ revision: Revision, of document: Int, on node: Node) {
        let topic = Database.documents[document]
        node.hub.publish(
            TopicUpdate(topic: topic, revision: revision, change: .document { Database.body(document, revision) }))
        pump(node)
        for other in nodes where other !== node && other.isUp && !other.isCutOff && !chance.one(in: 3) {
            for _ in 0..<(chance.one(in: 10) ? 2 : 1) {
                on(other, after: chance.delay()) { [unowned self] in
                    other.hub.doubt(topic)
                    pump(other)
                }
            }
        }
    }
}
