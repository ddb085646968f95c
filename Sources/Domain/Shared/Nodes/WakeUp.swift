/// One change that a node tells the other nodes of one store, so that their readers need not wait for the next sweep.
///
/// It is never more than a hint: a reader converges without it, by comparing versions.
public enum WakeUp: Sendable, Hashable {
    /// A record has another version or is gone; with the student whose list of records it is in.
    case record(RecordID, of: AccountID?)
    /// An act changed a class.
    case taughtClass(ClassNews)
    /// The feed of one reader reads differently.
    case feed(of: AccountID)
    /// The feeds of a person and of the followers read differently.
    case feeds(around: AccountID)
    /// The feeds of the members of an institution read differently.
    case feedsOf(InstitutionID)
    /// The feeds of the students in a class read differently.
    case feedsIn(ClassID)
    /// The log of the store has grown: there is something to follow.
    case log
    /// More has changed than can be told.
    case everything
}

extension WakeUp {
    /// The wake-up as one line of a message: a letter, and identifiers, which contain no spaces.
    var line: String {
        switch self {
        case .record(let record, let student): "r \(record.text)\(student.map { " \($0.text)" } ?? "")"
        case .taughtClass(let news):
            "c \(news.id.text) \(news.version.map { "\($0)" } ?? "-") \(news.isRestated ? 1 : 0)"
                + news.rows.map { " \($0.text)" }.joined()
        case .feed(let reader): "a \(reader.text)"
        case .feeds(let person): "p \(person.text)"
        case .feedsOf(let institution): "i \(institution.text)"
        case .feedsIn(let id): "k \(id.text)"
        case .log: "l"
        case .everything: "*"
        }
    }

    /// Parses a line. One that this version does not know may concern anything.
    init(line: Substring) {
        let words = line.split(separator: " " as Character).map(String.init)
        switch (words.first, words.count) {
        case ("r", 2...3): self = .record(RecordID(words[1]), of: words.count == 3 ? AccountID(words[2]) : nil)
        case ("c", 4...):
            self = .taughtClass(
                ClassNews(
                    ClassID(words[1]), version: Int(words[2]), rows: words.dropFirst(4).map { EnrolmentID($0) },
                    isRestated: words[3] != "0"))
        case ("a", 2): self = .feed(of: AccountID(words[1]))
        case ("p", 2): self = .feeds(around: AccountID(words[1]))
        case ("i", 2): self = .feedsOf(InstitutionID(words[1]))
        case ("k", 2): self = .feedsIn(ClassID(words[1]))
        case ("l", 1): self = .log
        default: self = .everything
        }
    }

    /// Parses a message of another node.
    public static func wakeUps(in message: String) -> [WakeUp] {
        message.split(separator: "\n" as Character).map { WakeUp(line: $0) }
    }
}
