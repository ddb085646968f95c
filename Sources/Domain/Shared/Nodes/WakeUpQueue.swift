/// The wake-ups that wait to be sent to the other nodes, gathered so that many changes cost one message.
///
/// The first change is told at once; what follows within ``interval`` is told together. A message has at most
/// ``messageBytes`` bytes; when more than ``messages`` of them would be needed, one says that everything may have
/// changed.
public struct WakeUpQueue: Sendable {
    /// The shortest time between two messages.
    public static let interval = Duration.milliseconds(10)
    /// The greatest length of a message. PostgreSQL carries less than 8,000 bytes.
    public static let messageBytes = 7_900
    /// The greatest number of messages that are sent together.
    public static let messages = 4

    private var lines: [String] = []
    private var known: Set<String> = []
    private var bytes = 0
    private var isOverfull = false
    private var sent: ContinuousClock.Instant?

    /// Creates an empty queue.
    public init() {}

    /// Whether nothing waits.
    public var isEmpty: Bool { lines.isEmpty && !isOverfull }

    /// Adds a change. A change that is waiting already is sent once.
    public mutating func add(_ wakeUp: WakeUp) {
        guard !isOverfull else { return }
        let line = wakeUp.line
        guard wakeUp != .everything, line.utf8.count < Self.messageBytes,
            bytes + line.utf8.count < Self.messageBytes * Self.messages
        else { return overflow() }
        guard known.insert(line).inserted else { return }
        lines.append(line)
        bytes += line.utf8.count + 1
    }

    private mutating func overflow() {
        clear()
        isOverfull = true
    }

    private mutating func clear() {
        (lines, known, bytes, isOverfull) = ([], [], 0, false)
    }

    /// When the next messages are to be sent; `nil` if nothing waits. A moment that has passed means at once.
    public func due(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard !isEmpty else { return nil }
        return sent.map { max(now, $0 + Self.interval) } ?? now
    }

    /// Takes the messages that are due; none before their time.
    public mutating func take(at now: ContinuousClock.Instant) -> [String] {
        guard let due = due(at: now), due <= now else { return [] }
        sent = now
        defer { clear() }
        guard !isOverfull else { return [WakeUp.everything.line] }
        var messages: [String] = []
        for line in lines {
            if let last = messages.last, last.utf8.count + 1 + line.utf8.count <= Self.messageBytes {
                messages[messages.count - 1] = "\(last)\n\(line)"
            } else {
                messages.append(line)
            }
        }
        return messages.count > Self.messages ? [WakeUp.everything.line] : messages
    }
}
