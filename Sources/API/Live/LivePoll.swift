import Live
import Shared
import Synchronization
import Transport

/// A conversation in one response: a request that waits for a newer version of a document.
final class LivePoll: LiveConnection {
    private var answered: ((LongPollAnswer) -> Void)?

    /// Creates a wait that is about to be registered under its name; `answered` is called once.
    init(
        _ id: SubscriberID, in context: LiveLoopContext, at place: LivePlace,
        answered: @escaping (LongPollAnswer) -> Void
    ) {
        self.answered = answered
        super.init(id, in: context, at: place)
    }

    /// Asks for the document. Call it once after registration.
    func begin(for identity: LiveIdentity?, _ topic: TopicRequest, within time: Duration) {
        handle(.request(identity, [topic], time: time))
    }

    /// Gives up the wait.
    func cancel() { end(.unchanged) }

    override var form: LiveInstruments.Form { .longPoll }

    override func send(_ message: ServerMessage) {
        if let answer = LongPollAnswer(message) { return end(answer) }
        if case .ended(let topic, _) = message { handle(.text(LongPollAnswer.asksAgain(for: topic))) }
        handle(.flushed)
    }

    override func close(_ code: LiveCloseCode) { end(LongPollAnswer(code)) }

    override func cut() { end(.refused(.forbidden)) }

    /// A server that stops answers at once.
    override func drain(within window: Duration) { super.drain(within: .zero) }

    private func end(_ answer: LongPollAnswer) {
        guard let answered else { return }
        self.answered = nil
        leave()
        answered(answer)
    }
}

/// Lets any thread give up a request before, during or after its wait.
final class LivePollTicket: Sendable {
    private enum State {
        case new
        case waiting(LoopBound<LivePoll>)
        case over
    }

    private let state = Mutex(State.new)

    /// The wait begins; `false` if it was given up before.
    func begin(_ poll: LoopBound<LivePoll>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(poll)
            return true
        }
    }

    /// Gives up.
    func cancel() {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .waiting(let poll) = before else { return }
        poll.loop.execute { poll.value.cancel() }
    }
}
