public import GradingKit
public import Shared

/// A tenant: owns programs, members and records.
public struct Institution: Sendable, Equatable {
    /// Names it for ever.
    public let id: InstitutionID
    /// When it was made.
    public let createdAt: Timestamp
    /// Names it in addresses.
    public var slug: Slug
    /// The name people read, 1…200 code points.
    public var title: String
    /// The language of messages for people who have not chosen one.
    public var locale: Language
    /// Whether everybody may see its programs and keep an own record in them.
    public var isOpen: Bool
    /// Whether people whose membership has ended go on reading the records they have here.
    public var keepsReading: Bool
    /// Who of its members must have a second factor.
    public var secondFactor: SecondFactorDemand
    /// Whether students may share the records they have here.
    public var sharing: SharingPolicy
    /// Rises whenever it is open to fewer people than before, or may be.
    public internal(set) var accessVersion: Int

    /// An institution.
    public init(
        id: InstitutionID, createdAt: Timestamp, slug: Slug, title: String, locale: Language = .english,
        isOpen: Bool = false, keepsReading: Bool = true, secondFactor: SecondFactorDemand = .none,
        sharing: SharingPolicy = .allowed, accessVersion: Int = 0
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
        self.accessVersion = accessVersion
    }
}

/// Who of an institution's members must have a second factor.
public enum SecondFactorDemand: String, Sendable, CaseIterable {
    /// Those alone who have to by the server's own rule.
    case none
    /// Its registrars and teachers.
    case staff
}

/// Whether an institution's students may share their records.
public enum SharingPolicy: String, Sendable, CaseIterable {
    /// Each student decides on each record.
    case allowed
    /// No record is shared.
    case none
}
