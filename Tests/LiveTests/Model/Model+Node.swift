@testable import Live
import Shared

/// What the node's shell does: it carries out what the pure parts ask for.
extension Model {
    func handle(_ event: ReaderEvent, _ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        var actions: [ReaderAction] = []
        connection.reader.handle(event, at: moment, in: &loop.hub, do: &actions)
        for action in actions { perform(action, connection, loop) }
        if connection.unwritten.count > 16 { fault("3: \(connection.unwritten.count) messages wait for one socket") }
    }

    private func perform(_ action: ReaderAction, _ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        switch action {
        case .send(let message): send(message, connection, loop)
        case .accept:
            if case .stream(let events, _) = connection.encoding {
                connection.encoding = .stream(events, isAccepted: true)
            }
        case .authenticate(let token):
            questions.append(.token(connection, session: token.flatMap { Int($0.dropFirst()) } ?? -1, nil, nil))
        case .confirm(let question):
            let session = Int(question.identity.session.text.dropFirst()) ?? -1
            questions.append(.token(connection, session: session, question, nil))
        case .authorise(let request): questions.append(.permission(connection, request, nil))
        case .close(let code): close(code, connection, loop)
        case .cut:
            if variant != .revokedStaysInBuffer { connection.unwritten = [] }
            connection.end = .internalError
            loop.table.remove(connection.id)
        }
    }

    // MARK: The encodings

    private func send(_ message: ServerMessage, _ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        let text = message.text(ModelLoop.limits)
        switch connection.encoding {
        case .socket: connection.unwritten.append(text)
        case .stream(_, isAccepted: false): refuse(message, connection, loop)
        case .stream(var events, isAccepted: true):
            connection.unwritten.append(events.id(of: message) + EventStream.data(text))
            connection.encoding = .stream(events, isAccepted: true)
            if events.isOver { finish(connection, loop) }
        case .poll:
            if case .refused? = LongPollAnswer(message) {
                refuse(message, connection, loop)
            } else if LongPollAnswer(message) != nil {
                checkSilence(connection, text)
                connection.wire.append(text)
                finish(connection, loop)
            } else {
                if case .ended(let topic, _) = message {
                    handle(.text(LongPollAnswer.asksAgain(for: topic)), connection, loop)
                }
                handle(.flushed, connection, loop)
            }
        }
    }

    /// A request is told why it is not answered, once and for all it asks for.
    private func refuse(_ message: ServerMessage, _ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        if case .refused(let code)? = LongPollAnswer(message), code != .unavailable {
            connection.wire = [Self.refusal]
        }
        finish(connection, loop)
    }

    /// What a client is told that asks for what it may not read.
    static let refusal = Array(#"{"t":"refused"}"#.utf8)

    private func close(_ code: LiveCloseCode, _ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        connection.end = code
        if !connection.encoding.isSocket { finish(connection, loop) }
    }

    private func finish(_ connection: ModelLoop.Connection, _ loop: ModelLoop) {
        connection.end = connection.end ?? .restart
        handle(.closed, connection, loop)
        loop.table.remove(connection.id)
    }

    func loop(of connection: ModelLoop.Connection) -> ModelLoop? {
        loops.first { $0.table[connection.id] === connection }
    }

    // MARK: One loop

    func loopStep(_ index: Int) {
        let loop = loops[index]
        if !loop.mail.isEmpty, !loop.hub.hasWakes || dice.one(in: 2) {
            take(loop.mail.removeFirst(), loop)
        } else if loop.hub.hasWakes {
            if let wake = loop.hub.nextWake(), let connection = loop.table[wake.subscriber] {
                handle(.changed(wake.topicID), connection, loop)
            }
        } else if loop.hub.wantsReads {
            let requests = loop.hub.takeReads()
            for request in requests { questions.append(.read(loop, [request], nil)) }
        }
    }

    private func take(_ mail: ModelLoop.Mail, _ loop: ModelLoop) {
        switch mail {
        case .update(let update):
            if variant == .readThenRegister, isReading(update.topic, loop) { return }
            loop.hub.publish(update)
        case .revoke(let revocation, let number):
            if variant != .deafToRevocations {
                for reader in loop.hub.revoke(revocation) {
                    if let connection = loop.table[reader] { handle(.revoked(revocation), connection, loop) }
                }
            }
            acknowledge(number)
        }
    }

    private func isReading(_ topic: Topic, _ loop: ModelLoop) -> Bool {
        questions.contains {
            if case .read(let other, let requests, _) = $0 {
                other === loop && requests[0].topic == topic
            } else {
                false
            }
        }
    }

    func acknowledge(_ number: Int) {
        revoking[number]?.loops -= 1
        guard let done = revoking[number], done.loops == 0 else { return }
        revoking[number] = nil
        if let topic = done.topic {
            let right = ModelStore.Right(account: done.account, topic: topic)
            if !store.rights.contains(right) { silenced.insert(right) }
        } else if case .session(let session) = done.revocation, let number = Int(session.text.dropFirst()) {
            silencedSessions.insert(number)
        }
    }

    func sweepStep(_ index: Int) {
        let loop = loops[index]
        let isUnderWay = questions.contains {
            if case .sweep(let other, _, _) = $0 { other === loop } else { false }
        }
        guard variant.sweeps, !isUnderWay else { return }
        questions.append(.sweep(loop, loop.hub.nextSweepBatch(at: moment), answer: .none))
    }

    /// Goes the client's wire one message further.
    func writeSocket(_ index: Int) {
        guard let connection = connections[index], !connection.unwritten.isEmpty else { return }
        let message = connection.unwritten.removeFirst()
        checkSilence(connection, message)
        connection.wire.append(message)
        if connection.unwritten.isEmpty, let loop = loop(of: connection) { handle(.flushed, connection, loop) }
    }

    /// Nothing of what was revoked leaves the server once the revoking call has returned.
    private func checkSilence(_ connection: ModelLoop.Connection, _ message: [UInt8]) {
        let text = String(decoding: message, as: UTF8.self)
        guard text.contains("{\"t\":\"state\"") else { return }
        let client = clients[connection.client]
        if silencedSessions.contains(client.session), store.deadSessions.contains(client.session) {
            fault("7: a push to a session that was ended")
        }
        for right in silenced where right.account == client.account {
            if text.contains("\"topic\":\"\(ModelStore.documents[right.topic])\",") {
                fault("7: a push of what was revoked")
            }
        }
    }

    func tick(_ index: Int) {
        guard let connection = connections[index], let loop = loop(of: connection),
            let deadline = connection.reader.deadline, deadline <= moment
        else { return }
        handle(.tick, connection, loop)
    }

    // MARK: Off the loops

    /// Looks at the truth, or brings back what was seen.
    func questionStep(_ index: Int) {
        switch questions[index] {
        case .token(let connection, let session, let question, nil):
            questions[index] = .token(
                connection, session: session, question, authenticate(session, connection))
        case .token(let connection, _, let question, let answer?):
            questions.remove(at: index)
            guard let loop = loop(of: connection) else { return }
            handle(question.map { .confirmed($0, answer) } ?? .authenticated(answer), connection, loop)
        case .permission(let connection, let request, nil):
            questions[index] = .permission(connection, request, permission(request))
        case .permission(let connection, let request, let answer?):
            questions.remove(at: index)
            if let loop = loop(of: connection) { handle(.authorised(request, answer), connection, loop) }
        case .read(let loop, let requests, nil):
            questions[index] = .read(loop, requests, requests.map(read))
        case .read(let loop, let requests, let outcomes?):
            questions.remove(at: index)
            for (request, outcome) in zip(requests, outcomes) {
                if variant == .withoutVersionGuard { sendUnguarded(request, outcome, loop) }
                loop.hub.finish(request, outcome)
            }
        case .sweep(let loop, let batch, .none):
            questions[index] = .sweep(loop, batch, answer: .some(sweep(batch)))
        case .sweep(let loop, let batch, .some(let answer)):
            questions.remove(at: index)
            var batch = batch
            if variant == .lateAsOf { batch.begun = moment }
            if !loop.hub.finish(batch, answer), loops.contains(where: { $0 === loop }) {
                questions.append(.sweep(loop, loop.hub.nextSweepBatch(at: moment), answer: .none))
            }
        }
    }

    private func authenticate(_ session: Int, _ connection: ModelLoop.Connection) -> Authentication {
        guard !store.deadSessions.contains(session) else { return .invalid }
        let account = AccountID("a\(clients[connection.client].account)")
        return .identity(
            LiveIdentity(account: account, session: SessionID("s\(session)"), expires: Timestamp(microseconds: .max)))
    }

    private func permission(_ request: PermissionRequest) -> Permission {
        guard let identity = request.identity, let account = Int(identity.account.text.dropFirst()),
            let session = Int(identity.session.text.dropFirst()),
            let topic = ModelStore.documents.firstIndex(of: request.topic)
        else { return .denied }
        if store.isDown { return .unavailable }
        return store.mayRead(account: account, session: session, topic: topic) ? .granted : .denied
    }

    private func read(_ request: ReadRequest) -> ReadOutcome {
        guard !store.isDown, let topic = ModelStore.documents.firstIndex(of: request.topic) else { return .failed }
        let revision = store.newest(topic)
        return switch request.kind {
        case .version: .version(revision)
        case .document:
            .document(revision.map { LiveDocument(revision: $0, bytes: ModelStore.body(request.topic, $0)) })
        case .rows: .failed
        }
    }

    private func sweep(_ batch: SweepBatch) -> TopicVersions? {
        guard !store.isDown else { return nil }
        let versions = batch.topics.map { topic in
            ModelStore.documents.firstIndex(of: topic).flatMap { store.newest($0) }?.version
        }
        return TopicVersions(epoch: store.epoch, versions: versions)
    }

    private func sendUnguarded(_ request: ReadRequest, _ outcome: ReadOutcome, _ loop: ModelLoop) {
        guard case .document(let document?) = outcome else { return }
        let rendition = Rendition(document, of: request.topic, limit: 1_000) { "/\($0)" }
        for connection in loop.table.readers
        where clients[connection.client].subscribed.contains(where: { ModelStore.documents[$0] == request.topic }) {
            send(.document(rendition), connection, loop)
        }
    }
}
