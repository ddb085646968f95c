import Live
import Shared

/// What the shell of a node does for its readers: it carries out what hub and readers ask for.
extension Cluster {
    func clock(_ node: Node) -> Timestamp { Timestamp(microseconds: now + node.offset) }

    /// Whether the node knows of every right that was lost until a moment ago.
    func isTrusting(_ node: Node) -> Bool {
        mistake == .trustsForever || now - node.followedAt <= Node.trust
    }

    // MARK: Connections

    func connect(_ client: Client, to node: Node) {
        on(node, after: chance.delay()) { [unowned self] in
            guard client.connection == nil else { return }
            let id = node.table.reserve()
            let connection = Connection(id, client, LiveReader(id, at: clock(node), in: &node.hub))
            node.table[id] = connection
            for message in client.connected(connection) { send(message, over: connection, to: node) }
        }
    }

    /// A message of a client is on its way.
    func send(_ message: String, over connection: Connection, to node: Node) {
        connection.clientClock = max(connection.clientClock + 1, now + chance.delay())
        on(node, after: connection.clientClock - now) { [unowned self] in
            handle(.text(Array(message.utf8)), connection, node)
        }
    }

    /// The connection is gone, for both sides.
    func disconnect(_ connection: Connection, from node: Node) {
        if node.table[connection.id] === connection {
            handle(.closed, connection, node)
            node.table.remove(connection.id)
        }
        connection.isClosed = true
        connection.unwritten = []
        if connection.client.connection === connection { connection.client.connection = nil }
    }

    func handle(_ event: ReaderEvent, _ connection: Connection, _ node: Node) {
        guard node.table[connection.id] === connection else { return }
        var actions: [ReaderAction] = []
        connection.reader.handle(event, at: clock(node), in: &node.hub, do: &actions)
        for action in actions { perform(action, connection, node) }
        pump(node)
    }

    private func perform(_ action: ReaderAction, _ connection: Connection, _ node: Node) {
        switch action {
        case .send(let message):
            connection.unwritten.append(message.text(Node.limits))
            planWriting(connection, node)
        case .accept: break
        case .authenticate(let token):
            authenticate(token.flatMap { Int($0.dropFirst()) } ?? -1, connection, node) { [unowned self] answer in
                handle(.authenticated(answer ?? .unavailable), connection, node)
            }
        case .confirm(let question):
            authenticate(connection.client.session, connection, node) { [unowned self] answer in
                handle(.confirmed(question, answer ?? .unavailable), connection, node)
            }
        case .authorise(let request): authorise(request, connection, node)
        case .close:
            connection.isClosing = true
            planWriting(connection, node)
        case .cut:
            connection.unwritten = []
            connection.isClosing = true
            planWriting(connection, node)
        }
    }

    private func authenticate(
        _ session: Int, _ connection: Connection, _ node: Node, _ answer: @escaping (Authentication?) -> Void
    ) {
        let account = connection.client.account
        ask(node, { !$0.endedSessions.contains(session) }) { isGood in
            guard let isGood else { return answer(nil) }
            let identity = LiveIdentity(
                account: AccountID("a\(account)"), session: SessionID("s\(session)"),
                expires: Timestamp(microseconds: .max))
            answer(isGood ? .identity(identity) : .revoked)
        }
    }

    private func authorise(_ request: PermissionRequest, _ connection: Connection, _ node: Node) {
        guard let document = Database.documents.firstIndex(of: request.topic),
            case .session(let session)? = request.identity?.credential
        else { return handle(.authorised(request, .denied), connection, node) }
        let key = Node.PermissionKey(
            account: connection.client.account, session: Int(session.text.dropFirst()) ?? -1, document: document)
        permission(key, on: node) { [unowned self] isGranted, _ in
            let answer: Permission = isGranted.map { $0 ? .granted : .denied } ?? .unavailable
            handle(.authorised(request, answer), connection, node)
        }
    }

    /// Finds whether somebody may read and change a document, from memory where that may be trusted.
    func permission(_ key: Node.PermissionKey, on node: Node, _ answer: @escaping (Bool?, Int) -> Void) {
        if isTrusting(node), let version = node.permissions.value(key) {
            return on(node, after: 0) { answer(true, version) }
        }
        let moment = node.permissions.moment
        ask(
            node,
            { database in
                let mayRead = database.mayRead(account: key.account, session: key.session, document: key.document)
                return (mayRead, database.accessVersions[key.account] ?? 0)
            }
        ) { found in
            guard let (mayRead, version) = found else { return answer(nil, 0) }
            if mayRead {
                node.permissions.keep(
                    version, for: key, restingOn: .account(AccountID("a\(key.account)")), readAt: moment)
            }
            answer(mayRead, version)
        }
    }

    // MARK: Writing to sockets

    private func planWriting(_ connection: Connection, _ node: Node) {
        guard !connection.isWriting else { return }
        connection.isWriting = true
        on(node, after: chance.delay()) { [unowned self] in
            connection.isWriting = false
            write(connection, node)
        }
    }

    private func write(_ connection: Connection, _ node: Node) {
        // What was to be sent may be what the client may not read any more; the log tells.
        guard isTrusting(node) else { return planWriting(connection, node) }
        let messages = connection.unwritten
        connection.unwritten = []
        for message in messages {
            checkSilence(message, connection, node)
            deliver(message, over: connection, from: node)
        }
        if !messages.isEmpty { handle(.flushed, connection, node) }
        guard connection.isClosing, connection.unwritten.isEmpty else { return }
        after(max(0, connection.serverClock - now)) { [unowned self] in disconnect(connection, from: node) }
    }

    private func deliver(_ message: [UInt8], over connection: Connection, from node: Node) {
        connection.serverClock = max(connection.serverClock + 1, now + chance.delay())
        after(connection.serverClock - now) { [unowned self] in
            guard connection.client.connection === connection, !connection.isClosed else { return }
            for answer in connection.client.read(message, database.known) {
                send(answer, over: connection, to: node)
            }
        }
    }

    /// Nothing of what was revoked leaves a server: that of the revoking call once it has returned, others when they
    /// must have heard.
    private func checkSilence(_ message: [UInt8], _ connection: Connection, _ node: Node) {
        let text = String(decoding: message, as: UTF8.self)
        guard text.contains("\"t\":\"state\"") else { return }
        func isLate(_ silence: (at: Int64, node: Int)?) -> Bool {
            guard let silence else { return false }
            return now > silence.at + (silence.node == node.number ? 0 : Node.trust)
        }
        for document in Database.documents.indices
        where text.contains("\"topic\":\"\(Database.documents[document])\",")
            && isLate(silenced[Database.Right(account: connection.client.account, document: document)])
        {
            fault("silence: document \(document) left node \(node.number) for account \(connection.client.account)")
        }
        if case .session(let session)? = connection.reader.identity?.credential,
            isLate(silencedSessions[Int(session.text.dropFirst()) ?? -1])
        {
            fault("silence: something left node \(node.number) for the ended session \(session.text)")
        }
    }

    // MARK: The hub

    /// Has the hub's wake-ups handed out and its reads started.
    func pump(_ node: Node) {
        guard !node.isPumping, node.hub.hasWakes || node.hub.wantsReads else { return }
        node.isPumping = true
        on(node, after: Int64(chance.below(200))) { [unowned self] in
            node.isPumping = false
            if let wake = node.hub.nextWake(), let connection = node.table[wake.subscriber] {
                handle(.changed(wake.topicID), connection, node)
            }
            for request in node.hub.takeReads() { read(request, on: node) }
            pump(node)
        }
    }

    private func read(_ request: ReadRequest, on node: Node) {
        guard let document = Database.documents.firstIndex(of: request.topic) else { return }
        let finish: (ReadOutcome) -> Void = { [unowned self] outcome in
            node.hub.finish(request, outcome)
            pump(node)
        }
        guard mistake == .documentBeforeVersion, request.kind == .document else {
            return ask(node, { $0.revision(of: document) }) { revision in
                finish(revision.map { Self.outcome($0, of: document, request.kind, body: $0) } ?? .failed)
            }
        }
        ask(node, { $0.revision(of: document) }) { [unowned self] body in
            ask(node, { $0.revision(of: document) }) { revision in
                guard let body, let revision else { return finish(.failed) }
                finish(Self.outcome(revision, of: document, request.kind, body: body))
            }
        }
    }

    private static func outcome(
        _ revision: Revision, of document: Int, _ kind: ReadRequest.Kind, body: Revision
    ) -> ReadOutcome {
        kind == .document
            ? .document(LiveDocument(revision: revision, bytes: Database.body(document, body))) : .version(revision)
    }

    /// Compares the versions of everything that is read on the node with the database's.
    func sweep(_ node: Node) {
        guard !node.isSweeping else { return }
        node.isSweeping = true
        sweepOn(node)
    }

    private func sweepOn(_ node: Node) {
        let batch = node.hub.nextSweepBatch(at: clock(node))
        let documents = batch.topics.map { Database.documents.firstIndex(of: $0) }
        ask(
            node,
            { database in
                TopicVersions(epoch: database.epoch, versions: documents.map { $0.map { database.versions[$0] } })
            }
        ) { [unowned self] answer in
            let isOver = node.hub.finish(batch, answer)
            pump(node)
            if isOver { node.isSweeping = false } else { sweepOn(node) }
        }
    }
}
