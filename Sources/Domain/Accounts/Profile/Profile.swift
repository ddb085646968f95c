public import Messages
public import Shared

/// The part of an account that its owner edits.
public struct Profile: Sendable, Equatable {
    /// The name that other people see, 1…100 code points.
    public var displayName: String
    /// What the person's institutions know him or her by; others never see it.
    public var personName: PersonName
    /// A few lines about the person, up to 1,000 code points; may be empty.
    public var description: String
    /// The person's gender, if the person states it.
    public var gender: Gender
    /// The hue rotation of the drawn avatar.
    public var hue: AvatarHue
    /// The language that the person chose; `nil` uses that of the browser.
    public var locale: Language?
    /// Whether everyone who is signed in can find the person; off unless the person turns it on.
    public var isDiscoverable: Bool
    /// Who may follow the person without asking.
    public var followers: FollowerRule
    /// Who sees the list of people whom the person follows.
    public var lists: ListAudience

    /// Creates a profile.
    public init(
        displayName: String, personName: PersonName = .none, description: String = "", gender: Gender = .unspecified,
        hue: AvatarHue = .zero, locale: Language? = nil, isDiscoverable: Bool = false,
        followers: FollowerRule = .approve, lists: ListAudience = .none
    ) {
        self.displayName = displayName
        self.personName = personName
        self.description = description
        self.gender = gender
        self.hue = hue
        self.locale = locale
        self.isDiscoverable = isDiscoverable
        self.followers = followers
        self.lists = lists
    }
}

/// A person's gender, as the person states it.
public enum Gender: String, Sendable, CaseIterable {
    case unspecified
    case female
    case male
    case other
}

/// Who may follow a person without asking.
public enum FollowerRule: String, Sendable, CaseIterable {
    /// Everyone who may see the person.
    case open
    /// Only those whom the person accepts.
    case approve
}

/// Who sees a person's lists of people.
public enum ListAudience: String, Sendable, CaseIterable {
    /// Only the person.
    case none
    /// Friends; each sees only those on the list whom they may see anyway.
    case friends
}
