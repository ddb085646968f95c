package import GradingKit
package import Shared

/// Plans the writes of service accounts from the rows that the store found.
package enum ServiceAccountPlans {
    /// Plans a new service account; throws `service_account_limit` if the institution has the maximum number.
    package static func creation(
        of account: ServiceAccount, besides others: [ServiceAccount], by act: AuditContext
    ) throws(FaultList) -> InstitutionPlan<ServiceAccount> {
        guard others.count < ServiceAccount.capacity else {
            throw FaultList([
                Fault(.serviceAccountLimit, at: "", ["max": .number(String(ServiceAccount.capacity))])
            ])
        }
        return InstitutionPlan(
            under: act.grounds, [.serviceAccount(.insert(account)), .member(.set(account.membership))],
            audit: [
                act.entry(
                    "service-account.created", of: account.id.text, in: account.institution, detail: account.auditText)
            ], value: account)
    }

    /// Plans to change a service account. The change applies to its tokens at once.
    package static func change(
        of id: AccountID, among accounts: [ServiceAccount], by act: AuditContext, _ edit: (inout ServiceAccount) -> Void
    ) throws(StoreError) -> InstitutionPlan<ServiceAccount> {
        guard let before = accounts.first(where: { $0.id == id }) else { throw .notFound }
        var after = before
        edit(&after)
        return InstitutionPlan(
            under: act.grounds, [.serviceAccount(.update(after)), .member(.set(after.membership))],
            audit: [
                act.entry(
                    "service-account.changed", of: id.text, in: after.institution,
                    detail: auditDetail(before: before.auditText, after: after.auditText, reason: act.reason))
            ], voided: [.account(id)], events: [.accessChanged(id)], value: after)
    }

    /// Plans to end a service account, its membership, secrets and tokens. Its name stays for a while for the audit
    /// trails.
    package static func end(
        of id: AccountID, among accounts: [ServiceAccount], by act: AuditContext
    ) throws(StoreError) -> InstitutionPlan<Void> {
        guard let account = accounts.first(where: { $0.id == id }) else { throw .notFound }
        return InstitutionPlan(
            under: act.grounds,
            [
                .serviceAccount(.end(id, at: act.at)), .member(.remove(of: id, in: account.institution)),
                .invitation(.withdrawMade(by: id, in: account.institution)),
            ],
            audit: [
                act.entry(
                    "service-account.ended", of: id.text, in: account.institution, detail: account.auditText)
            ], voided: [.account(id)], events: [.accessChanged(id)])
    }
}
