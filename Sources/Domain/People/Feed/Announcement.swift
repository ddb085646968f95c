public import Forms
import GradingKit
public import Shared

/// A text that an institution tells those who belong to it.
public struct Announcement: Sendable, Equatable {
    /// The maximum number of code points.
    public static let maximumLength = 1_000

    /// The identifier.
    public let id: String
    /// The institution.
    public let institution: InstitutionID
    /// The text.
    public let text: String
    /// When it was made.
    public let at: Timestamp

    /// Creates an announcement.
    public init(id: String, institution: InstitutionID, text: String, at moment: Timestamp) {
        self.id = id
        self.institution = institution
        self.text = text
        at = moment
    }

    /// The form of a request for a new announcement; its value is the text.
    public static let form = RequestForm("Announcement", example: ["text": "The results are out on Friday."]) {
        $0.lines("text", max: maximumLength, required: true) ?? ""
    }
}

/// The rows that the store found of an institution's announcements.
public struct AnnouncementRows: Sendable {
    /// The announcement that the change is about; `nil` if there is none.
    public let found: Announcement?
    /// The number of announcements that the institution made in the last ``AnnouncementPlans/period``, with those
    /// withdrawn since.
    public let recent: Int

    /// Creates the rows that were found.
    public init(found: Announcement?, recent: Int) {
        self.found = found
        self.recent = recent
    }
}

/// Plans the writes of announcements from the rows that the store found.
public enum AnnouncementPlans {
    /// The maximum number of announcements that an institution makes in a ``period``. Each may be mailed, so withdrawing
    /// one makes no room for another.
    public static let most = 20
    /// The time in seconds in which they are counted.
    public static let period: Int64 = 86_400

    /// Plans a new announcement.
    ///
    /// - Throws: `FaultList` with `announcement_limit`.
    public static func making(
        _ announcement: Announcement, found rows: AnnouncementRows, by act: AuditContext
    ) throws -> PeoplePlan<Void> {
        guard rows.recent < most else {
            throw FaultList([Fault(.announcementLimit, ["max": .number(String(most))])])
        }
        return PeoplePlan(
            under: act.grounds, [.insertAnnouncement(announcement)],
            audit: [act.entry("announcement.made", of: announcement.id, in: announcement.institution)])
    }

    /// Plans to withdraw an announcement.
    ///
    /// - Throws: `StoreError.notFound` if the institution has no such announcement.
    public static func withdrawing(
        of institution: InstitutionID, found rows: AnnouncementRows, by act: AuditContext
    ) throws -> PeoplePlan<Void> {
        guard let found = rows.found, found.institution == institution else { throw StoreError.notFound }
        return PeoplePlan(
            under: act.grounds, [.removeAnnouncement(found.id)],
            audit: [act.entry("announcement.withdrawn", of: found.id, in: institution)])
    }
}
