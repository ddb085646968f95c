/// The standing of an entry that is not simply graded: one of the seven statuses that every scheme has, or one of the
/// scheme's own.
public struct Status: Hashable, Sendable, RawRepresentable {
    /// The greatest length of a name.
    public static let longest = 16

    // The characters themselves, the first in the lowest byte, so that entries store a status without counting
    // references.
    private let head: UInt64
    private let tail: UInt64

    /// The name of the status.
    ///
    /// - Parameter rawValue: 1 to ``longest`` ASCII letters, digits and `_`, not starting with a digit; `nil`
    ///   otherwise.
    public init?(rawValue: String) {
        self.init(letters: rawValue.utf8)
    }

    private init?(letters: some Collection<UInt8>) {
        guard 1...Self.longest ~= letters.count, let first = letters.first, Self.isLetter(first),
            letters.allSatisfy({ Self.isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        func word(_ part: some Collection<UInt8>) -> UInt64 {
            part.enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(8 * $1.offset) }
        }
        (head, tail) = (word(letters.prefix(8)), word(letters.dropFirst(8)))
    }

    private init(_ name: StaticString) {
        self = name.withUTF8Buffer { Status(letters: $0) } ?? Status(head: 0, tail: 0)
    }

    private init(head: UInt64, tail: UInt64) {
        (self.head, self.tail) = (head, tail)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
        default: false
        }
    }

    // The standard library would compare raw values, creating two strings for each look-up in a table.

    /// Whether the names are the same.
    public static func == (one: Status, other: Status) -> Bool { one.head == other.head && one.tail == other.tail }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(head)
        hasher.combine(tail)
    }

    /// The name.
    public var rawValue: String {
        let bytes = [head, tail].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// Exempted: counts nowhere.
    public static let excused = Status("excused")
    /// Attended without credit: counts nowhere.
    public static let audit = Status("audit")
    /// Missed: counts as the worst grade.
    public static let absent = Status("absent")
    /// Not decided yet: skipped, and results that depend on it are pending.
    public static let pending = Status("pending")
    /// Withdrawn: attempted, but part of no average.
    public static let withdrawn = Status("withdrawn")
    /// Earned elsewhere: credits without a grade.
    public static let transfer = Status("transfer")
    /// Replaced by another attempt. The rule for repeats sets it, never a person.
    public static let superseded = Status("superseded")

    /// The statuses that every scheme has.
    public static let standard: [Status] = [excused, audit, absent, pending, withdrawn, transfer, superseded]
}

/// How an entry with a status counts.
public struct StatusRule: Sendable, Equatable {
    /// How an entry enters averages.
    public enum Average: Sendable, Hashable {
        /// With its grade.
        case counts
        /// With the worst grade.
        case minimum
        /// With a grade at this share of the way from the worst (0) to the best (1).
        case share(Exact)
        /// Skipped, like an ungraded leaf, and results that depend on it are pending.
        case pending
        /// Not at all.
        case leaves

        /// The grade that the status sets, as a share of the way from the worst to the best; `nil` if it sets none.
        var fixedShare: Exact? {
            switch self {
            case .minimum: .zero
            case .share(let share): share
            case .counts, .pending, .leaves: nil
            }
        }
    }

    /// How it enters averages.
    public var average: Average
    /// Whether its credits count as attempted.
    public var attempted: Bool
    /// Whether its credits count as earned; for a graded entry, only if it passed.
    public var earned: Bool
    /// Whether it enters the GPA.
    public var inGPA: Bool

    /// Creates a rule.
    public init(average: Average, attempted: Bool, earned: Bool, inGPA: Bool) {
        self.average = average
        self.attempted = attempted
        self.earned = earned
        self.inGPA = inGPA
    }
}

/// How each status counts. An entry without a status, or with one that is not in the table, counts as `graded`.
public struct StatusTable: Sendable, Equatable {
    private var rules: [Status: StatusRule]

    /// The rule of an entry without status.
    public static let graded = StatusRule(average: .counts, attempted: true, earned: true, inGPA: true)

    /// The default table of institutions.
    public static let standard = StatusTable(rules: [
        .excused: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .audit: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
        .absent: StatusRule(average: .minimum, attempted: true, earned: false, inGPA: true),
        .pending: StatusRule(average: .pending, attempted: true, earned: false, inGPA: false),
        .withdrawn: StatusRule(average: .leaves, attempted: true, earned: false, inGPA: false),
        .transfer: StatusRule(average: .leaves, attempted: false, earned: true, inGPA: false),
        .superseded: StatusRule(average: .leaves, attempted: false, earned: false, inGPA: false),
    ])

    /// The rule for a status; with `nil`, for an entry without status.
    public subscript(status: Status?) -> StatusRule {
        get {
            guard let status else { return Self.graded }
            return rules[status] ?? Self.graded
        }
        set { if let status { rules[status] = newValue } }
    }
}
