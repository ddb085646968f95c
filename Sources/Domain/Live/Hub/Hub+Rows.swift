import Shared

/// The parts of what changed in collections.
extension Hub {
    /// The part at a cursor, if it is at hand.
    mutating func part(at cursor: RowsCursor, of id: TopicID) -> RowsMessage? {
        states[id.place]?.parts.take(cursor)
    }

    /// Ensures that a part is read, or will be when others have been; waiting readers are woken then. `false` if the last
    /// read of it failed: only reconciliation tries again.
    mutating func wantPart(at cursor: RowsCursor, of id: TopicID) -> Bool {
        switch states[id.place]?.parts.want(cursor) {
        case .new:
            wanted.append(id)
            return true
        case .known, nil: return true
        case .failed: return false
        }
    }

    /// Takes in a part that was read, and wakes the readers that wait for it.
    mutating func finish(_ request: ReadRequest, _ cursor: RowsCursor, _ outcome: ReadOutcome) {
        let id = request.topicID
        // What was asked in another epoch, or for readers that have left, is of no use.
        guard let state = states[id.place], state.parts.isRunning(cursor, serial: request.serial) else { return }
        switch outcome {
        case .rows(nil):
            states[id.place]?.parts = RowParts()
            states[id.place]?.content = .gone
        case .rows(let rows?):
            // A newer epoch voids all parts, this one too: what it says of an older version is not true there.
            guard adopt(rows.revision.epoch, asked: request.epochNumber), request.epochNumber == epochNumber else {
                states[id.place]?.parts.forget(cursor)
                break
            }
            guard cursor.version != nil || rows.revision.version > cursor.since else {
                // The store contradicts itself; retrying at once would never end.
                states[id.place]?.parts.fail(cursor)
                break
            }
            states[id.place]?.isProven = true
            states[id.place]?.parts.keep(
                RowsMessage(rows, since: cursor.since, of: state.topic), at: cursor, within: limits.documentBytes)
            learn(rows.revision.version, of: id)
        case .document, .version, .failed: states[id.place]?.parts.fail(cursor)
        }
        wake(id)
    }
}
