import Live
import Shared
import Synchronization
import Transport

/// One long poll: waits on a loop for a newer version of a document.
final class LiveWait: LiveReader {
    /// How the wait ended.
    enum Outcome: Sendable {
        /// With what is newer.
        case document(LiveDocument)
        /// With the time.
        case unchanged
        case refused(LiveErrorCode)
    }

    private let context: LiveLoopContext
    private let id: SubscriberID
    private var waiter: DocumentWaiter
    private var ended: ((Outcome) -> Void)?
    private var timer = LiveTimer()

    /// A wait that is entered in its room; `ended` is called once.
    init(_ id: SubscriberID, _ waiter: DocumentWaiter, in context: LiveLoopContext, ended: @escaping (Outcome) -> Void)
    {
        self.id = id
        self.context = context
        self.waiter = waiter
        self.ended = ended
    }

    /// Asks whether the document may be read; to be called once it is entered.
    func begin() { handle(.begin) }

    /// Nobody waits any more.
    func cancel() {
        handle(.closed)
        end(.unchanged)
    }

    func changed(_ channel: ChannelID) { handle(.changed(channel)) }

    func revoked(_ revocation: Revocation) { handle(.revoked(revocation)) }

    func drain(within window: Duration) { handle(.drain(within: window)) }

    private func handle(_ event: ReaderEvent) {
        var actions: [ReaderAction] = []
        waiter.handle(event, at: context.now, in: &context.hub, do: &actions)
        for action in actions { perform(action) }
        timer.set(waiter.deadline, in: context) { self.handle(.tick) }
        context.advance()
    }

    private func perform(_ action: ReaderAction) {
        switch action {
        case .authorise(let request):
            context.authorise(request) { self.handle(.authorised(request, $0)) }
        case .answer(let document): end(.document(document))
        case .unchanged: end(.unchanged)
        case .refuse(let code): end(.refused(code))
        case .accept, .send, .finish, .cut: break  // a stream's
        }
    }

    private func end(_ outcome: Outcome) {
        guard let ended else { return }
        self.ended = nil
        context.leave(id)
        ended(outcome)
    }
}

/// Lets whoever waits give up from any thread, before, while or after the wait is there.
final class LiveWaitTicket: Sendable {
    private enum State {
        case new
        case waiting(LoopBound<LiveWait>)
        case over
    }

    private let state = Mutex(State.new)

    /// The wait is there; `false` if it was given up before.
    func begin(_ wait: LoopBound<LiveWait>) -> Bool {
        state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(wait)
            return true
        }
    }

    /// Gives up.
    func cancel() {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        guard case .waiting(let wait) = before else { return }
        wait.loop.execute { wait.value.cancel() }
    }
}
