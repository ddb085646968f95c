import Cryptography
import Institutions
public import People
import Shared

/// The announcements of institutions, for registrars. Institutions are named by their identifier or slug.
public struct Announcements: Sendable {
    private let store: any PeopleStore
    private let identifiers: UUIDSource
    private let news: FeedNews
    private let access: InstitutionAccess
    private let writes: WriteRate
    /// Whether the operator lets people have feeds, in which announcements are shown.
    private let isEnabled: Bool

    /// Creates the service over the store of people.
    init(
        store: any PeopleStore, identifiers: UUIDSource, news: FeedNews, access: InstitutionAccess, writes: WriteRate,
        isEnabled: Bool
    ) {
        self.store = store
        self.access = access
        self.writes = writes
        self.identifiers = identifiers
        self.news = news
        self.isEnabled = isEnabled
    }

    /// Tells those who belong to an institution something.
    ///
    /// - Parameters:
    ///   - text: the text, which is read once the caller is known to be allowed.
    ///   - size: the length of the request in bytes.
    /// - Throws: `not_found` for an institution that the caller may not know, and where the operator has turned feeds
    ///   off; `forbidden`; `rate_limited`; a `FaultList` with `announcement_limit`.
    public func make(
        _ text: @autoclosure () async throws -> String, size: Int, in institution: String, by context: AccountContext
    ) async throws -> Announcement {
        let permit = try await access.permit(to: May.ManageMembers.self, in: institution, for: context.principal)
        try writes.check(context, size: size)
        let (text, institution, act) = (try await text(), permit.institution.id, context.audit(under: permit))
        guard isEnabled else { throw UseCaseError.notFound }
        let announcement = Announcement(
            id: identifiers.next(), institution: institution, text: text, at: act.at)
        try await store.changeAnnouncements(of: institution, announcement.id, at: act.at) {
            try AnnouncementPlans.making(announcement, found: $0, by: act)
        }
        news.tell(.logs)
        return announcement
    }

    /// Withdraws an announcement of an institution.
    ///
    /// - Parameter size: the length of the request in bytes.
    /// - Throws: `StoreError.notFound` if the institution has no such announcement; otherwise as for making one.
    public func withdraw(
        _ id: String, size: Int, of institution: String, by context: AccountContext
    ) async throws {
        let permit = try await access.permit(to: May.ManageMembers.self, in: institution, for: context.principal)
        try writes.check(context, size: size)
        let (institution, act) = (permit.institution.id, context.audit(under: permit))
        guard isEnabled else { throw UseCaseError.notFound }
        try await store.changeAnnouncements(of: institution, id, at: act.at) {
            try AnnouncementPlans.withdrawing(of: institution, found: $0, by: act)
        }
        news.tell(.institution(institution))
    }
}
