import Live
import Records
import Shared

/// The database that the nodes share. Each of its operations is one transaction; a crash loses what has not been committed
/// and nothing else.
struct Database {
    /// A right of an account to one document.
    struct Right: Hashable {
        let account: Int
        let document: Int
    }

    /// An entry of the log of what changes rights, in the order of the commits.
    enum Notice {
        case right(Right)
        case session(Int, of: Int)
    }

    /// One change of a document.
    struct Change {
        let number: Int
        let document: Int
        let key: Int
    }

    /// A piece of background work of several steps.
    struct Job {
        var lease: WorkLease?
        /// How many steps are noted as done.
        var done = 0
        /// How often each step took effect.
        var effects: [Int]
        var isFinished: Bool { done >= effects.count }
    }

    static let documents: [Topic] = [
        .standing(RecordID("r1"), .released), .record(RecordID("r2"), .released), .program(ProgramID("p1")),
    ]
    static let jobSteps = 4

    private(set) var epochNumber = 1
    private(set) var versions = [Version](repeating: 1, count: Self.documents.count)
    /// Every revision that ever was committed.
    private(set) var known: Set<String> = []
    var rights: Set<Right> = []
    /// Rises with every change of an account's rights.
    private(set) var accessVersions: [Int: Int] = [:]
    private(set) var endedSessions: Set<Int> = []
    private(set) var notices: [Notice] = []
    private(set) var changes: [Change] = []
    private(set) var numbers = 0
    /// The answers under keys.
    private(set) var answers: [Int: Revision] = [:]
    /// Where the projector is, and how often it took each change in.
    var cursor = 0
    var projected: [Int: Int] = [:]
    var jobs = [Job](repeating: Job(effects: [Int](repeating: 0, count: Self.jobSteps)), count: 8)

    init() { for document in versions.indices { note(document) } }

    var epoch: Epoch { Epoch("e\(epochNumber)") }

    func revision(of document: Int) -> Revision { Revision(epoch: epoch, version: versions[document]) }

    private mutating func note(_ document: Int) { known.insert("\(document) \(revision(of: document))") }

    /// What a document says is a function of its place in time.
    static func body(_ document: Int, _ revision: Revision) -> [UInt8] {
        Array("{\"is\":\"\(document) at \(revision)\"}".utf8)
    }

    // MARK: Changes

    /// Returns the number of the next change.
    mutating func nextNumber() -> Int {
        numbers += 1
        return numbers
    }

    mutating func change(_ document: Int, key: Int, as number: Int, keepsAnswer: Bool) -> Revision {
        versions[document] += 1
        note(document)
        changes.append(Change(number: number, document: document, key: key))
        if keepsAnswer { keep(revision(of: document), under: key) }
        return revision(of: document)
    }

    mutating func keep(_ answer: Revision, under key: Int) { answers[key] = answer }

    /// A backup comes back that lacks some versions.
    mutating func restore(losing count: Int, underNewEpoch: Bool) {
        if underNewEpoch { epochNumber += 1 }
        for document in versions.indices {
            versions[document] = max(1, versions[document] - count)
            note(document)
        }
    }

    // MARK: Rights

    func mayRead(account: Int, session: Int, document: Int) -> Bool {
        !endedSessions.contains(session) && rights.contains(Right(account: account, document: document))
    }

    mutating func set(_ right: Right, isGranted: Bool) {
        if isGranted { rights.insert(right) } else { rights.remove(right) }
        accessVersions[right.account, default: 0] += 1
        notices.append(.right(right))
    }

    /// Whether nothing was changed about a right since the log had that many entries.
    func isLast(_ place: Int, about right: Right) -> Bool {
        !notices.dropFirst(place).contains { if case .right(right) = $0 { true } else { false } }
    }

    mutating func end(_ session: Int, of account: Int) {
        endedSessions.insert(session)
        notices.append(.session(session, of: account))
    }
}
