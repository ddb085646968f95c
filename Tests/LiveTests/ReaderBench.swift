import Shared

@testable import Live

/// One reader with its hub, a clock that is set by hand, and the outside answered by the test.
struct ReaderBench {
    static let identity = LiveIdentity(
        account: AccountID("ada"), session: SessionID("s1"), expires: Timestamp(microseconds: 3_600_000_000))
    static let standing = Topic.standing(RecordID("R"), .released)

    var hub: Hub
    var now = Timestamp(microseconds: 0)
    var reader: LiveReader
    /// What the reader wanted done since it was last asked.
    var actions: [ReaderAction] = []

    init(limits: LiveLimits = LiveLimits(), upgraded: LiveIdentity? = nil) {
        hub = Hub(epoch: Epoch("k3"), limits: limits, seed: 7) { "/\($0)" }
        var table = SubscriberTable<SubscriberID>()
        reader = LiveReader(table.reserve(), identity: upgraded, at: now, in: &hub)
    }

    /// A bench whose conversation is open.
    static func open(limits: LiveLimits = LiveLimits(), identity: LiveIdentity? = identity) -> ReaderBench {
        var bench = ReaderBench(limits: limits)
        if let identity {
            bench.say(#"{"t":"hello","token":"t"}"#)
            bench.tell(.authenticated(.identity(identity)))
        } else {
            bench.say(#"{"t":"hello"}"#)
            bench.tell(.authenticated(.guest))
        }
        bench.flush()
        bench.actions = []
        return bench
    }

    /// A bench whose reader is subscribed to `standing/R` and holds version 41.
    static func subscribed(limits: LiveLimits = LiveLimits()) -> ReaderBench {
        var bench = open(limits: limits)
        bench.subscribe()
        bench.read(41)
        bench.flush()
        bench.actions = []
        return bench
    }

    mutating func tell(_ event: ReaderEvent) { reader.handle(event, at: now, in: &hub, do: &actions) }

    mutating func say(_ text: String) { tell(.text(Array(text.utf8))) }

    mutating func flush() { tell(.flushed) }

    mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        tell(.tick)
    }

    /// Sends `sub` and grants it.
    mutating func subscribe(_ topic: Topic = standing, have: String? = nil, _ permission: Permission = .granted) {
        let have = have.map { #","have":\#($0)"# } ?? ""
        say(#"{"t":"sub","topic":"\#(topic)"\#(have)}"#)
        answer(permission)
    }

    /// Answers all permissions that are asked for.
    mutating func answer(_ permission: Permission) {
        for request in requests { tell(.authorised(request, permission)) }
    }

    /// The permissions asked for and not yet looked at; questions about the session are passed over.
    var requests: [PermissionRequest] {
        mutating get {
            var requests: [PermissionRequest] = []
            actions.removeAll {
                if case .confirm = $0 { return true }
                guard case .authorise(let request) = $0 else { return false }
                requests.append(request)
                return true
            }
            return requests
        }
    }

    /// The answer to the reader's question of that number about a session.
    static func confirmed(
        _ number: UInt32, _ identity: LiveIdentity = identity, as answer: Authentication? = nil
    ) -> ReaderEvent {
        .confirmed(Confirmation(identity: identity, number: number), answer ?? .identity(identity))
    }

    /// Answers all reads with that version, `nil` for a document that is gone, and delivers the wake-ups.
    mutating func read(_ version: Version?, epoch: String = "k3") {
        while hub.wantsReads {
            for request in hub.takeReads() {
                let revision = version.map { Revision(epoch: Epoch(epoch), version: $0) }
                switch request.kind {
                case .version: hub.finish(request, .version(revision))
                case .document:
                    hub.finish(request, .document(revision.map { LiveDocument(revision: $0, bytes: Self.body($0)) }))
                case .rows: hub.finish(request, .rows(revision.map { Self.rows($0) }))
                }
            }
            wake()
        }
    }

    /// A commit of that version.
    mutating func publish(_ version: Version, _ topic: Topic = standing, epoch: String = "k3") {
        let revision = Revision(epoch: Epoch(epoch), version: version)
        hub.publish(TopicUpdate(topic: topic, revision: revision, change: .document { Self.body(revision) }))
        wake()
    }

    mutating func wake() {
        while let wake = hub.nextWake() { tell(.changed(wake.topicID)) }
    }

    mutating func revoke(_ revocation: Revocation) {
        for _ in hub.revoke(revocation) { tell(.revoked(revocation)) }
    }

    /// A whole sweep that finds these versions.
    mutating func sweep(_ version: Version?) {
        var isOver = false
        while !isOver {
            let batch = hub.nextSweepBatch(at: now)
            let versions = batch.topics.map { _ in version }
            isOver = hub.finish(batch, TopicVersions(epoch: hub.epoch, versions: versions))
        }
        wake()
    }

    /// One part of what changed, which says nothing but its version.
    static func rows(_ revision: Revision, next: Int? = nil) -> LiveRows {
        LiveRows(revision: revision, structure: 1, items: Array("[\(revision.version)]".utf8), next: next)
    }

    static func body(_ revision: Revision) -> [UInt8] { Array(#"{"v":"\#(revision)"}"#.utf8) }

    /// What was sent and done since this was last asked; sent messages as text.
    mutating func take() -> [String] {
        defer { actions = [] }
        return actions.map { action in
            switch action {
            case .send(let message): String(decoding: message.text(hub.limits), as: UTF8.self)
            case .accept: "accept"
            case .authenticate(let token): "authenticate \(token ?? "guest")"
            case .confirm(let question): "confirm \(question.identity.session)"
            case .authorise(let request): "authorise \(request.topic)"
            case .close(let code): "close \(code.rawValue)"
            case .cut: "cut"
            }
        }
    }
}

extension LiveIdentity {
    /// The session, in tests that know of no tokens.
    var session: SessionID { if case .session(let session) = credential { session } else { SessionID("") } }
}
