public import Classes
public import GradingKit
public import Records
public import Shared
import Synchronization

/// The rules' judgement of one row and of the record that follows it.
enum RowJudgement: Sendable {
    /// The entry that stands for the row is up to date.
    case unchanged
    /// The record changes.
    case amended(Amendment)
    /// The rules refuse the content of the row.
    case refused([RowFault])
    /// The row cannot be judged.
    case unusable(Fault)
}

/// The judgements of rows in one act. If few rows have changed, the act is decided again, and the others keep their
/// judgement.
public final class JudgementCache: Sendable {
    /// The basis of a judgement, besides the proposed structure, which stays the same however often one act is decided.
    struct Place: Equatable {
        let row: EnrolledRow
        let record: RecordID
        let version: Version
        let structure: Int
    }

    private struct State {
        var known: [EnrolmentID: (place: Place, judgement: RowJudgement)] = [:]
        var made = 0
    }

    private let state = Mutex(State())

    /// Creates an empty cache.
    public init() {}

    subscript(place: Place) -> RowJudgement? {
        get {
            state.withLock { state in
                state.known[place.row.enrolment.id].flatMap { $0.place == place ? $0.judgement : nil }
            }
        }
        set {
            state.withLock { state in
                state.known[place.row.enrolment.id] = newValue.map { (place, $0) }
                state.made += 1
            }
        }
    }

    /// How often a row was judged.
    var made: Int { state.withLock(\.made) }
}

/// The books of stored structures. Making one means judging the structure, and the acts and readers of a class need the
/// same book until its structure changes.
public final class ClassBookCache: Sendable {
    private struct Key: Hashable {
        let taught: ClassID
        let structure: Int
        let version: Version
        let newest: Version
    }

    private static let capacity = 256
    private let known = Mutex<[Key: ClassBook]>([:])

    /// Creates an empty cache.
    public init() {}

    /// The book of a class's stored structure.
    ///
    /// - Parameter newest: the newest rules of the program, whose names the structure may use.
    /// - Throws: the faults of the structure under these rules.
    public func book(
        _ structure: ClassStructure, of taught: ClassID, under rules: RecordRules, renamedBy newest: RecordRules? = nil
    ) throws(FaultList) -> ClassBook {
        let newest = newest ?? rules
        let key = Key(
            taught: taught, structure: structure.number, version: rules.programVersion, newest: newest.programVersion)
        // After a restore, another structure may have this number.
        if let book = known.withLock({ $0[key] }), book.original == structure { return book }
        let book = try ClassBook(structure, under: rules, renamedBy: newest.rules)
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[key] = book
        }
        return book
    }
}
