import Classes
import Database
import Gradebook
import Records
import Shared

extension WriteTransaction {
    /// Carries out the move of a record with the rows of its classes; see ``GradebookStore``.
    func move(_ move: RecordMove, by context: ActContext) throws {
        let linked = move.linked
        let id = linked.snapshot.head.id
        for act in move.acts { try hold(.taughtClass(act.taught)) }
        guard let stored = try record(id)?.snapshot else { throw StoreError.notFound }
        guard stored.fullVersion == linked.snapshot.fullVersion, stored.head == linked.snapshot.head else {
            throw StoreError.moved
        }
        // Nobody joins a class without a change of the record, so no row can be missing here.
        for row in linked.rows.values {
            guard try connection.mark(of: row.enrolled.enrolment.id)?.mark == row.mark else { throw StoreError.moved }
        }
        _ = try amend(id, by: context.writing) { _ in move.amendment }
        for act in move.acts {
            guard let found = try connection.classHead(act.taught) else { throw StoreError.moved }
            try apply(act.plan, to: found, by: context)
        }
    }
}

extension WriteReach {
    /// What the move of a record has to itself: the record, and the classes of its rows.
    init(of move: RecordMove) {
        self = .only(
            Set(move.acts.map { WriteSubject.taughtClass($0.taught) } + [.record(move.linked.snapshot.head.id)]))
    }
}
