import GradingKit
import Live
import Shared

/// A conforming client of the model. It notes in `faults` whatever contradicts the guarantees.
struct ModelClient {
    let account: Int
    var session: Int
    /// What it shows, and comes back with after a reconnect.
    var held: [Int: Revision] = [:]
    /// What it is subscribed to on this connection, as the server's messages say.
    var subscribed: Set<Int> = []
    /// What this connection has said about a topic.
    var confirmed: [Int: Revision] = [:]
    /// How often it asked for a topic; who asked again may hear the same once more.
    var subs: [Int: Int] = [:]
    /// What it let go of on this connection, perhaps after it had told the server that it has it.
    var dropped: Set<Int> = []
    /// What it waits for an answer about.
    var pending: Set<Int> = []
    var lastPing = 0
    var lastAsOf: Int64?
    var states = 0
    var faults: [String] = []

    init(account: Int, session: Int) {
        self.account = account
        self.session = session
    }

    mutating func connected() {
        subscribed = []
        confirmed = [:]
        subs = [:]
        pending = []
        dropped = []
        lastPing = 0
        lastAsOf = nil
    }

    /// A request has asked for these topics.
    mutating func asked(for topics: [Topic]) {
        for topic in topics {
            guard let index = ModelStore.documents.firstIndex(of: topic) else { continue }
            subs[index, default: 0] += 1
            pending.insert(index)
        }
    }

    /// Takes in a message, also as an event.
    ///
    /// - Returns: what the client answers.
    mutating func read(_ bytes: [UInt8], _ store: ModelStore) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let data = text.firstRange(of: "data: ").map { Array(text[$0.upperBound...].utf8) } ?? bytes
        guard let message = try? JSON.parse(data), let type = message["t"]?.string else {
            faults.append("not a message: \(String(decoding: bytes, as: UTF8.self))")
            return nil
        }
        let topic = message["topic"]?.string.flatMap { text in
            ModelStore.documents.firstIndex { $0.description == text }
        }
        switch type {
        case "state":
            let id = text.firstRange(of: "id: ").map { text[$0.upperBound...].prefix { $0 != "\n" } }
            if let topic { return state(topic, message, id, store) }
        case "end": if let topic { return end(topic, message["why"]?.string ?? "") }
        case "error": if let topic { drop(topic) }
        case "refused": for topic in pending { drop(topic) }
        case "ping": return ping(message, store)
        default: break
        }
        return nil
    }

    private mutating func state(
        _ topic: Int, _ message: JSON, _ id: Substring?, _ store: ModelStore
    ) -> String? {
        guard let epoch = message["e"]?.string, let version = message["v"]?.integer else {
            faults.append("a state without a place in time")
            return nil
        }
        states += 1
        let revision = Revision(epoch: Epoch(epoch), version: version)
        let name = ModelStore.documents[topic]
        if let id, !id.split(separator: ",").contains("\(revision)") { faults.append("\(revision) came as \(id)") }
        if let document = message["doc"] {
            if document.bytes != ModelStore.body(name, revision) { faults.append("1: \(document.text) as \(revision)") }
        } else if held[topic] == nil, dropped.contains(topic) {
            // The answer to a `have` that an `end` overtook: ask for the whole.
            subscribed.insert(topic)
            return sub(topic)
        } else if held[topic] != revision {
            faults.append("no document, but the client holds \(String(describing: held[topic])) of \(revision)")
        }
        if !store.history[topic].contains(where: { $0.revision == revision }) {
            faults.append("1: \(name) never was \(revision)")
        }
        if let last = confirmed[topic] {
            let isLater = last.epoch == revision.epoch ? last.version < revision.version : isNewer(revision, last)
            if !isLater, !(subs[topic, default: 0] > 1 && last == revision) {
                faults.append("2: \(name) went from \(last) to \(revision)")
            }
        }
        if let held = held[topic],
            held.epoch == revision.epoch ? held.version > revision.version : isNewer(held, revision)
        {
            faults.append("2: \(name) went from \(held), held from an earlier connection, to \(revision)")
        }
        subscribed.insert(topic)
        pending.remove(topic)
        confirmed[topic] = revision
        held[topic] = revision
        return nil
    }

    private func isNewer(_ revision: Revision, _ other: Revision) -> Bool {
        (Int(revision.epoch.text.dropFirst()) ?? 0) > (Int(other.epoch.text.dropFirst()) ?? 0)
    }

    private mutating func end(_ topic: Int, _ why: String) -> String? {
        drop(topic)
        return why == "reset" ? sub(topic) : nil
    }

    private mutating func drop(_ topic: Int) {
        held[topic] = nil
        dropped.insert(topic)
        confirmed[topic] = nil
        subscribed.remove(topic)
        pending.remove(topic)
    }

    private mutating func ping(_ message: JSON, _ store: ModelStore) -> String? {
        let number = message["n"]?.integer
        if let number {
            if number != lastPing + 1 { faults.append("6: ping \(number) after \(lastPing)") }
            lastPing = number
        }
        if let text = message["asOf"]?.string, let asOf = Self.moment(text) {
            if asOf < lastAsOf ?? 0 { faults.append("5: asOf went back to \(text)") }
            lastAsOf = asOf
            for (topic, revision) in confirmed where store.superseded(topic, revision).map({ $0 < asOf }) == true {
                faults.append("5: \(ModelStore.documents[topic]) \(revision) was old before \(text)")
            }
        }
        return number.map { "{\"t\":\"pong\",\"n\":\($0)}" }
    }

    mutating func sub(_ topic: Int) -> String {
        subs[topic, default: 0] += 1
        pending.insert(topic)
        let have = held[topic].map { ",\"have\":{\"e\":\"\($0.epoch)\",\"v\":\($0.version)}" } ?? ""
        return "{\"t\":\"sub\",\"topic\":\"\(ModelStore.documents[topic])\"\(have)}"
    }

    /// The microseconds of a moment of 1970-01-01.
    private static func moment(_ text: String) -> Int64? {
        let digits = text.utf8.map { Int64($0) - 48 }
        guard digits.count == 24 else { return nil }
        let hours = digits[11] * 10 + digits[12]
        let minutes = digits[14] * 10 + digits[15]
        let seconds = digits[17] * 10 + digits[18]
        let milliseconds = digits[20] * 100 + digits[21] * 10 + digits[22]
        return (((hours * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds) * 1_000
    }
}
