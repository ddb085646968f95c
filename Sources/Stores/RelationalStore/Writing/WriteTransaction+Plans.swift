import Database
import Shared

extension WriteTransaction {
    /// Carries out a plan of the domain, applying each row change with `change`. Checks everything that may refuse the
    /// plan before it writes the first row, because a change that fails after writing makes its whole batch run again.
    ///
    /// A plan rests on rows that the store found, on how many there are, or on there being none.
    ///
    /// - Parameter subject: what no other change can touch meanwhile and the plan rests on; `nil` for the whole store.
    func apply<Change, Value>(
        _ plan: WritePlan<Change, Value>, holding subject: WriteSubject? = nil, _ change: (Change) throws -> Void
    ) throws -> Value {
        if let subject { try hold(subject) } else { try holdEverything() }
        for ground in plan.grounds { try ground.check(stored: try accessVersion(of: ground.subject)) }
        let kept = try admitted(plan.kept)
        if !plan.claims.isEmpty { try holdEverything() }
        for claim in plan.claims { try claim.check(holder: try holder(of: claim)) }
        try store(kept)
        for step in plan.changes { try change(step) }
        for entry in plan.audit { try audit(entry) }
        for mail in plan.mails { try queue(mail) }
        for subject in plan.voided { try raiseAccess(of: subject) }
        for subject in plan.altered { note(subject) }
        for event in plan.events {
            post(event)
            if case .accessChanged(let account) = event { try announceShared(by: account) }
        }
        return plan.value
    }

    private func holder(of claim: UniqueClaim) throws -> String? {
        let sql =
            switch claim.kind {
            case .login: "SELECT id FROM accounts WHERE login = ?"
            case .slug:
                """
                SELECT id FROM institutions WHERE slug = ?1
                UNION ALL SELECT institution FROM former_slugs WHERE slug = ?1
                """
            }
        return try connection.first(sql, .text(claim.value)) { $0.text(0) }
    }
}
