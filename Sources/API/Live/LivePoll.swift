import Live
import Shared
import Synchronization
import Transport

/// The conversation as one response: a request that waits for a newer version of a document.
final class LivePoll: LiveConnection {
    private var answered: ((LongPollAnswer) -> Void)?

    /// A wait that is about to be entered under its name; `answered` is called once.
    init(
        _ id: SubscriberID, in context: LiveLoopContext, at place: LivePlace,
        answered: @escaping (LongPollAnswer) -> Void
    ) {
        self.answered = answered
        super.init(id, in: context, at: place)
    }

    /// Asks for the document; to be called once it is entered.
    func begin(for identity: LiveIdentity?, _ topic: TopicRequest, within time: Duration) {
        handle(.request(identity, [topic], time: time))
    }

    /// Gives up: nothing waits for the answer any more.
    func cancel() { end(.unchanged) }

    override var form: LiveInstruments.Form { .longPoll }

    override func send(_ message: ServerMessage) {
        if let answer = LongPollAnswer(message) { return end(answer) }
        if case .ended(let topic, _) = message { handle(.text(LongPollAnswer.asksAgain(for: topic))) }
        handle(.flushed)
    }

    override func close(_ code: LiveCloseCode) { end(LongPollAnswer(code)) }

    override func cut() { end(.refused(.forbidden)) }

    /// There is nothing to wait for on a server that stops.
    override func drain(within window: Duration) { super.drain(within: .zero) }

    private func end(_ answer: LongPollAnswer) {
        guard let answered else { return }
        self.answered = nil
        leave()
        answered(answer)
    }
}

/// Lets a request give up from any thread, before, while or after its wait is there.
final class LivePollTicket: Sendable {
    private enum State {
        case new
        case waiting(LoopBound<LivePoll>)
        case over
    }

    private let state = Mutex(State.new)

    /// The wait is there; `false` if it was given up before.
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
