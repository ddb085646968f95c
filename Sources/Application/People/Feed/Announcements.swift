import Cryptography
public import People
public import Shared

/// The announcements of institutions. Callers check who may make them.
public struct Announcements: Sendable {
    private let store: any PeopleStore
    private let identifiers: UUIDSource
    private let news: FeedNews
    /// Whether the operator lets people have feeds, in which announcements are shown.
    private let isEnabled: Bool

    /// Creates the service over the store of people.
    init(store: any PeopleStore, identifiers: UUIDSource, news: FeedNews, isEnabled: Bool) {
        self.store = store
        self.identifiers = identifiers
        self.news = news
        self.isEnabled = isEnabled
    }

    /// Tells those who belong to an institution something.
    ///
    /// - Throws: `not_found` where the operator has turned feeds off; a `FaultList` with `announcement_limit`.
    public func make(
        _ text: String, in institution: InstitutionID, by act: AuditContext
    ) async throws -> Announcement {
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
    /// - Throws: `StoreError.notFound` if the institution has no such announcement.
    public func withdraw(_ id: String, of institution: InstitutionID, by act: AuditContext) async throws {
        guard isEnabled else { throw UseCaseError.notFound }
        try await store.changeAnnouncements(of: institution, id, at: act.at) {
            try AnnouncementPlans.withdrawing(of: institution, found: $0, by: act)
        }
        news.tell(.institution(institution))
    }
}
