import JSON
import Live
import Shared

/// A conforming client: it follows documents, comes back with what it holds, and notes what contradicts the promises.
final class Client {
    let number: Int
    let account: Int
    var session: Int
    /// What it shows, and comes back with after a reconnect.
    private(set) var held: [Int: Revision] = [:]
    private(set) var subscribed: Set<Int> = []
    private var pending: Set<Int> = []
    /// What it let go of on this connection, perhaps after it had told the server that it has it.
    private var dropped: Set<Int> = []
    var connection: Connection?
    var faults: [String] = []

    init(_ number: Int, account: Int, session: Int) {
        self.number = number
        self.account = account
        self.session = session
    }

    /// Begins a new connection; returns what it says first.
    func connected(_ connection: Connection) -> [String] {
        self.connection = connection
        let wanted = subscribed.union(held.keys).union(pending).sorted()
        subscribed = []
        pending = []
        dropped = []
        return ["{\"t\":\"hello\",\"token\":\"s\(session)\"}"] + wanted.map(subscribe)
    }

    func subscribe(_ document: Int) -> String {
        pending.insert(document)
        let have = held[document].map { ",\"have\":{\"e\":\"\($0.epoch)\",\"v\":\($0.version)}" } ?? ""
        return "{\"t\":\"sub\",\"topic\":\"\(Database.documents[document])\"\(have)}"
    }

    /// Whether it neither follows a document nor has asked for it.
    func lacks(_ document: Int) -> Bool { !subscribed.contains(document) && !pending.contains(document) }

    /// Takes in a message; returns the answers.
    func read(_ bytes: [UInt8], _ known: Set<String>) -> [String] {
        guard let message = try? JSON.parse(bytes), let type = message["t"]?.string else {
            faults.append("no message: \(String(decoding: bytes, as: UTF8.self))")
            return []
        }
        let document = message["topic"]?.string.flatMap { name in
            Database.documents.firstIndex { $0.description == name }
        }
        switch (type, document) {
        case ("state", let document?): return state(document, message, known)
        case ("end", let document?):
            drop(document)
            return message["why"]?.string == "reset" ? [subscribe(document)] : []
        case ("error", let document?): drop(document)
        case ("ping", _): return message["n"]?.integer.map { ["{\"t\":\"pong\",\"n\":\($0)}"] } ?? []
        default: break
        }
        return []
    }

    private func drop(_ document: Int) {
        held[document] = nil
        dropped.insert(document)
        subscribed.remove(document)
        pending.remove(document)
    }

    private func state(_ document: Int, _ message: JSON, _ known: Set<String>) -> [String] {
        guard let epoch = message["e"]?.string, let version = message["v"]?.integer else {
            faults.append("a state without a place in time")
            return []
        }
        let revision = Revision(epoch: Epoch(epoch), version: version)
        if let content = message["doc"] {
            if content.bytes != Database.body(document, revision) {
                faults.append("content: \(content.text) came as \(revision)")
            }
        } else if held[document] == nil, dropped.contains(document) {
            // The answer to a `have` that an `end` overtook.
            return [subscribe(document)]
        } else if held[document] != revision {
            let held = held[document]?.description ?? "nothing"
            faults.append("content: none came with \(revision), but \(held) is held")
        }
        if !known.contains("\(document) \(revision)") { faults.append("content: \(revision) was never committed") }
        if let before = held[document], before.epoch == revision.epoch, before.version > version {
            faults.append("order: document \(document) went from \(before) to \(revision)")
        }
        pending.remove(document)
        subscribed.insert(document)
        held[document] = revision
        return []
    }
}

/// A connection of a client to a node: the real reader, and a socket.
final class Connection {
    let id: SubscriberID
    let client: Client
    var reader: LiveReader
    /// Handed out by the reader, not yet taken by the kernel.
    var unwritten: [[UInt8]] = []
    var isClosed = false
    /// Whether it ends when all is written.
    var isClosing = false
    var isWriting = false
    /// When the last message of either side arrives; those behind it come later.
    var clientClock: Int64 = 0
    var serverClock: Int64 = 0

    init(_ id: SubscriberID, _ client: Client, _ reader: LiveReader) {
        self.id = id
        self.client = client
        self.reader = reader
    }
}
