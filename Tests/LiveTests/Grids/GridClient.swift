import GradingKit
import Live
import Shared

/// A client of a collection that does what docs/live-protocol.md says. It notes in `faults` whatever contradicts it.
struct GridClient {
    struct Row: Equatable {
        let version: Version
        let structure: Int
        let text: String
    }

    private struct Sequence {
        let since: Version
        let version: Version
        var rows: [Int: Row] = [:]
    }

    /// What it holds as of a version, and what it shows of that: always of one structure.
    private(set) var place: Revision?
    private var epoch: String?
    private var held: [Int: Row] = [:]
    private(set) var shown: [Int: Row] = [:]
    private var sequence: Sequence?
    private(set) var messages = 0
    var faults: [String] = []

    /// The connection is another: what was begun on the last one is not gone on with.
    mutating func connected() { sequence = nil }

    mutating func end() {
        let (messages, faults) = (messages, faults)
        self = GridClient()
        (self.messages, self.faults) = (messages, faults)
    }

    mutating func read(_ message: JSON) {
        guard let epoch = message["e"]?.string, let version = message["v"]?.integer else {
            faults.append("rows without a place in time")
            return
        }
        guard let rows = message["rows"]?.array, let since = message["from"]?.integer else {
            if place != Revision(epoch: Epoch(epoch), version: version) { faults.append("current is not \(version)") }
            return
        }
        messages += 1
        if epoch != self.epoch {
            if since != 0 { faults.append("another epoch from \(since)") }
            if let old = self.epoch, old > epoch { faults.append("the epoch went back to \(epoch)") }
            (self.epoch, place, held, sequence) = (epoch, nil, [:], nil)
        }
        if let place, since > place.version { faults.append("from \(since), held is \(place)") }
        if let place, version <= place.version { faults.append("\(version) after \(place)") }
        if sequence?.since != since || sequence?.version != version {
            sequence = Sequence(since: since, version: version)
        }
        for row in rows { take(row) }
        if message["more"]?.bool != true { complete(Revision(epoch: Epoch(epoch), version: version)) }
    }

    private mutating func take(_ json: JSON) {
        guard let id = json["id"]?.integer, let version = json["v"]?.integer, let structure = json["s"]?.integer,
            let text = json["is"]?.string
        else {
            faults.append("no row: \(json.text)")
            return
        }
        let row = Row(version: version, structure: structure, text: text)
        if let known = sequence?.rows[id], known.version > version { return }
        sequence?.rows[id] = row
    }

    private mutating func complete(_ revision: Revision) {
        guard let sequence else { return }
        var rows = sequence.since == 0 ? [:] : held
        for (id, row) in sequence.rows {
            if let known = held[id], known.version > row.version { rows[id] = known } else { rows[id] = row }
        }
        (held, place, self.sequence) = (rows, revision, nil)
        guard Set(rows.values.map(\.structure)).count <= 1 else { return }
        for (id, row) in rows {
            // Within an epoch nothing that is shown goes back.
            if let known = shown[id], known.text.hasSuffix(" of \(revision.epoch)"), known.version > row.version {
                faults.append("row \(id) went from \(known.version) to \(row.version)")
            }
        }
        shown = rows
    }
}
