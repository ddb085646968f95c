import Classes
import Gradebook
import Records
import Shared

extension WriteReach {
    /// What an act has to itself: the class, the records of its ground, and the answer to keep. An act that does more than
    /// that has everything.
    ///
    /// - Parameter keep: the answer that is kept of an outcome. Under which key does not depend on the outcome.
    init<Value: Sendable>(
        of decision: ActDecision<Value>, on ground: ActGround, keeping keep: (ActOutcome<Value>) -> KeptAnswer?
    ) {
        guard decision.plan.isWithinClass, ground.records.count < Self.greatest / 2 else {
            self = .everything
            return
        }
        let taught = ground.snapshot
        var subjects = Set(ground.records.keys.map { WriteSubject.record($0) })
        subjects.formUnion(ground.rows.map { .record($0.enrolment.record) })
        subjects.insert(.taughtClass(taught.head.id))
        let outcome = ActOutcome(version: taught.version, structure: taught.structure.number, value: decision.value)
        if let kept = keep(outcome) { subjects.insert(.answer(kept.account, key: kept.key.key)) }
        self = .only(subjects)
    }
}

extension ActPlan {
    /// Whether the act changes nothing but the class, what is entered in it, and records that are there: no permission, no
    /// trail of the institution, and nothing that others find by.
    var isWithinClass: Bool {
        head == nil && structure == nil && staff == nil && comment == nil && newRecords.isEmpty
    }
}
