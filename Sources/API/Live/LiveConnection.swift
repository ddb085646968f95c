import HTTP
import Live
import Shared

/// One live connection. It passes events to its reader and does what the reader returns. Each encoding is a subclass.
class LiveConnection {
    let context: LiveLoopContext
    private(set) final var reader: LiveReader
    /// The client's address; unspecified if the request's own route has already checked the reader.
    final let client: IPAddress
    /// The holder for whom the connection counts.
    final var holder: ConnectionQuota.Holder
    private var timer = LiveTimer()

    /// Creates a connection that is about to be registered under its name.
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

    /// Passes an event to the reader.
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

    /// Ends the connection and releases everything that it holds.
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

    /// Ends the conversation after everything that was sent.
    func close(_ code: LiveCloseCode) {}

    /// Ends at once, dropping what has not been written.
    func cut() {}

    /// Takes the place that an answer about the caller's identity needs; returns another answer if there is none.
    func admitted(_ answer: Authentication) -> Authentication { answer }

    /// Announces that the server stops within that time.
    func drain(within window: Duration) { handle(.drain(within: window)) }
}
