public import Shared

/// Plans the writes of institutions from the rows that the store found.
public enum InstitutionPlans {
    /// Plans a new institution, with the answer to its request.
    public static func creation(
        of institution: Institution, audit: AuditEntry, keeping kept: KeptAnswer?, under grounds: [AccessGround] = []
    ) -> InstitutionPlan<Void> {
        InstitutionPlan(
            under: grounds, claims: [institution.slugClaim], [.insert(institution)], audit: [audit], kept: kept)
    }

    /// Plans to apply `change` to an institution. If its audience changes, permissions that depend on the institution
    /// become void; a new title, for example, affects none.
    public static func amendment(
        _ before: Institution?, _ change: (Institution) throws -> InstitutionChange
    ) throws -> InstitutionPlan<Institution> {
        guard let before else { throw StoreError.notFound }
        let change = try change(before)
        var after = change.institution
        let isSameAudience = (before.isOpen, before.keepsReading) == (after.isOpen, after.keepsReading)
        after.accessVersion = before.accessVersion + (isSameAudience ? 0 : 1)
        let subject = AccessSubject.institution(after.id)
        var changes: [InstitutionRowChange] = [.update(after)]
        if before.isOpen != after.isOpen { changes.append(.announcePrograms(of: after.id)) }
        if !isSameAudience { changes.append(.announceOwners(besidesMembersOf: after.id, at: change.audit.at)) }
        if before.sharing != after.sharing, after.sharing == .none { changes.append(.endSharing(in: after.id)) }
        if before.secondFactor != after.secondFactor { changes.append(.announceStaff(of: after.id)) }
        return InstitutionPlan(
            under: change.grounds, claims: [after.slugClaim], changes, audit: [change.audit],
            voided: isSameAudience ? [] : [subject], altered: [subject], value: after)
    }
}

extension Institution {
    fileprivate var slugClaim: UniqueClaim { UniqueClaim(.slug, slug.text, for: id.text) }
}
