public import GradingKit
public import Shared
public import TimeZones

/// A tenant, which owns programs, members and records.
public struct Institution: Sendable, Equatable {
    /// The identifier, which never changes.
    public let id: InstitutionID
    /// When it was created.
    public let createdAt: Timestamp
    /// Its short name in URLs.
    public var slug: Slug
    /// The title, 1…200 code points.
    public var title: String
    /// The language of messages for people who have not chosen one.
    public var locale: Language
    /// Whether everyone may see its programs and keep a record of their own in them.
    public var isOpen: Bool
    /// Whether people keep read access to their records here after their membership ends.
    public var keepsReading: Bool
    /// Which of its members must have a second factor.
    public var secondFactor: SecondFactorDemand
    /// Whether students may share their records here.
    public var sharing: SharingPolicy
    /// The time zone in which it sends daily mails at seven o'clock, and in whose days work is due.
    public var timeZone: TimeZone
    /// The access version; it rises with every change that may take access away from anyone.
    public internal(set) var accessVersion: Int

    /// Creates an institution.
    public init(
        id: InstitutionID, createdAt: Timestamp, slug: Slug, title: String, locale: Language = .english,
        isOpen: Bool = false, keepsReading: Bool = true, secondFactor: SecondFactorDemand = .none,
        sharing: SharingPolicy = .allowed, timeZone: TimeZone = .utc, accessVersion: Int = 0
    ) {
        self.id = id
        self.createdAt = createdAt
        self.slug = slug
        self.title = title
        self.locale = locale
        self.isOpen = isOpen
        self.keepsReading = keepsReading
        self.secondFactor = secondFactor
        self.sharing = sharing
        self.timeZone = timeZone
        self.accessVersion = accessVersion
    }
}

/// Which of an institution's members must have a second factor.
public enum SecondFactorDemand: String, Sendable, CaseIterable {
    /// Only those who must have one by the server's own rule.
    case none
    /// The registrars and teachers.
    case staff
}

/// Whether an institution's students may share their records.
public enum SharingPolicy: String, Sendable, CaseIterable {
    /// Each student decides for each record.
    case allowed
    /// No record may be shared.
    case none
}
