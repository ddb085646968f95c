import Cryptography
package import Shared

/// What a change keeps all other changes away from until it is committed, on every node: whatever it reads to decide, and
/// whatever it writes.
///
/// A change that names too little is not made: ``WriteTransaction/hold(_:)`` refuses it, and it runs again with the whole
/// store to itself.
package enum WriteReach: Sendable, Equatable {
    /// The whole store.
    case everything
    /// Some subjects. Changes of other subjects may run beside it, on other nodes.
    case only(Set<WriteSubject>)

    /// The greatest number of subjects that one group of changes locks. A group with more of them locks the whole store. By
    /// default PostgreSQL has room for about 6,400 locks of all connections together.
    package static let greatest = 512

    /// Returns the reach of changes that are made together.
    package static func joining(_ reaches: some Sequence<WriteReach>) -> WriteReach {
        var all: Set<WriteSubject> = []
        for reach in reaches {
            guard case .only(let subjects) = reach else { return .everything }
            all.formUnion(subjects)
        }
        return all.count <= greatest ? .only(all) : .everything
    }

    /// The numbers of the subjects' locks, each once and in rising order, in which every change takes them: so no two
    /// changes ever wait for each other. Empty for the whole store.
    package var lockNumbers: [Int] {
        guard case .only(let subjects) = self else { return [] }
        return Set(subjects.map(\.lockNumber)).sorted()
    }

    func covers(_ subject: WriteSubject) -> Bool {
        switch self {
        case .everything: true
        case .only(let subjects): subjects.contains(subject)
        }
    }
}

/// What a change may have to itself while others change the rest.
package enum WriteSubject: Sendable, Hashable {
    /// A record with its trail and what is computed of it.
    case record(RecordID)
    /// A class with its rows, its ledger and its corrections.
    case taughtClass(ClassID)
    /// The answer under an account's key.
    case answer(AccountID, key: String)
    /// The version of a document that is composed of others.
    case projection(String)
    /// A session that goes on.
    case session(SessionID)
    /// The trails of institutions and of the server, and the mails that tell of what they say. All who write them without
    /// having the whole store do so one after another, so that lines appear in the order of their numbers.
    case trails
    /// The counts of failed attempts to sign in.
    case signInFailures
    /// A webhook with its deliveries.
    case webhook(WebhookID)

    /// Two subjects of one number wait for each other needlessly; a digest keeps clients from arranging that.
    var lockNumber: Int {
        let name =
            switch self {
            case .record(let id): "record\0\(id.text)"
            case .taughtClass(let id): "class\0\(id.text)"
            case .answer(let account, let key): "answer\0\(account.text)\0\(key)"
            case .projection(let name): "projection\0\(name)"
            case .session(let id): "session\0\(id.text)"
            case .trails: "trails"
            case .signInFailures: "sign-in failures"
            case .webhook(let id): "webhook\0\(id.text)"
            }
        return SHA256.hash(name.utf8).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    }
}

/// A change reaches further than it said, so it runs again with the whole store to itself.
package struct ReachExceeded: Error {}

extension WriteTransaction {
    /// Makes sure that no other change can touch the subject before this one is committed. Call it before what is read or
    /// written of the subject.
    ///
    /// - Throws: ``ReachExceeded``, which only the writer catches.
    func hold(_ subject: WriteSubject) throws {
        guard reach.covers(subject) else { throw ReachExceeded() }
    }

    /// Makes sure that no other change runs beside this one.
    ///
    /// - Throws: ``ReachExceeded``, which only the writer catches.
    func holdEverything() throws {
        guard reach == .everything else { throw ReachExceeded() }
    }
}
