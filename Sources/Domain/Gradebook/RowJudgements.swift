public import Classes
public import GradingKit
public import Records
public import Shared
import Synchronization

/// What the rules make of one row, and of the record that follows it.
enum RowJudgement: Sendable {
    /// The entry that stands for the row says already what it is to say.
    case unchanged
    /// The record follows.
    case amended(Amendment)
    /// The rules refuse what the row holds.
    case refused([RowFault])
    /// The row cannot be judged.
    case unusable(Fault)
}

/// How the rows of one act were judged. The act is decided again where few of them have changed meanwhile, and the others
/// keep their judgement.
public final class RowJudgements: Sendable {
    /// What a judgement rests on, beside the proposed structure itself, which is the same however often one act is decided.
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

    /// None yet.
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

/// Books of structures that are stored: making one judges the structure, and acts and readers of a class need the same one
/// until its structure changes.
public final class ClassBookShelf: Sendable {
    private struct Key: Hashable {
        let taught: ClassID
        let structure: Int
        let version: Version
        let newest: Version
    }

    private static let capacity = 256
    private let known = Mutex<[Key: ClassBook]>([:])

    /// An empty shelf.
    public init() {}

    /// The book of a class's stored structure.
    ///
    /// - Parameter newest: the newest rules of the program, whose names the structure may have.
    /// - Throws: what is wrong with the structure under these rules.
    public func book(
        _ structure: ClassStructure, of taught: ClassID, under rules: RecordRules, renamedBy newest: RecordRules? = nil
    ) throws(FaultList) -> ClassBook {
        let newest = newest ?? rules
        let key = Key(
            taught: taught, structure: structure.number, version: rules.programVersion, newest: newest.programVersion)
        // After a restore, another structure may have the number.
        if let book = known.withLock({ $0[key] }), book.original == structure { return book }
        let book = try ClassBook(structure, under: rules, renamedBy: newest.rules.shape)
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[key] = book
        }
        return book
    }
}
