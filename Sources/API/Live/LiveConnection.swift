import HTTP
import Live
import Shared

/// One live connection: carries events to its reader and does what the reader wants. The subclasses are the encodings.
class LiveConnection {
    let context: LiveLoopContext
    private(set) final var reader: LiveReader
    /// Where the client is; unspecified where the request's own route has asked for whom it reads.
    final let client: IPAddress
    /// For whom it counts among the live connections.
    final var holder: ConnectionQuota.Holder
    private var timer = LiveTimer()

    /// A connection that is about to be entered under its name.
    init(
        _ id: SubscriberID, in context: LiveLoopContext, for identity: LiveIdentity? = nil,
        from client: IPAddress = .unspecified, at place: LivePlace
    ) {
        self.context = context
        self.client = client
        holder = place.takeOver()
        reader = LiveReader(id, identity: identity, at: context.now, in: &context.hub)
        watchClock()
    }

    /// Something happens to the reader.
    final func handle(_ event: ReaderEvent) {
        context.withActions { actions in
            reader.handle(event, at: context.now, in: &context.hub, do: &actions)
            for action in actions { perform(action) }
        }
        watchClock()
        context.advance()
    }

    private func watchClock() { timer.set(reader.deadline, in: context) { self.handle(.tick) } }

    private func perform(_ action: ReaderAction) {
        let authority = context.authority
        switch action {
        case .send(let message): send(message)
        case .accept: accept()
        case .authenticate(nil): handle(.authenticated(admitted(.guest)))
        case .authenticate(let token?):
            context.ask({ [client] in await authority.authenticate(token: token, from: client.description) }) {
                self.handle(.authenticated(self.admitted($0)))
            }
        case .confirm(let question):
            context.ask({ await authority.confirm(question.identity) }) {
                self.handle(.confirmed(question, self.admitted($0)))
            }
        case .authorise(let request):
            context.authorise(request) { self.handle(.authorised(request, $0)) }
        case .close(let code): close(code)
        case .cut: cut()
        }
    }

    /// It is over: nothing of it stays.
    final func leave() {
        handle(.closed)
        if context.leave(reader.id) { context.admissions.giveBack(holder) }
    }

    // MARK: What an encoding makes of it

    /// The form of the connection.
    var form: LiveInstruments.Form { .webSocket }

    /// Sends a message.
    func send(_ message: ServerMessage) {}

    /// Begins the answer to the request.
    func accept() {}

    /// Ends the conversation behind what was sent.
    func close(_ code: LiveCloseCode) {}

    /// Breaks off without what has not been written.
    func cut() {}

    /// Takes the place that an answer about the caller's identity asks for; where there is none, the answer is another.
    func admitted(_ answer: Authentication) -> Authentication { answer }

    /// The server stops within that time.
    func drain(within window: Duration) { handle(.drain(within: window)) }
}
