public import Messages

/// What an account's owner tells about themselves.
public struct Profile: Sendable, Equatable {
    /// The name others see, 1…100 code points.
    public var displayName: String
    /// A few lines about the person, up to 1,000 code points; may be empty.
    public var description: String
    /// As the person puts it.
    public var gender: Gender
    /// Turns the colours of the drawn avatar.
    public var hue: AvatarHue
    /// The language that the person chose; `nil` until then, and the browser's counts.
    public var locale: Language?
    /// Whether everyone who is signed in can find the person; not unless the person says so.
    public var isDiscoverable: Bool
    /// Who may follow the person without asking.
    public var followers: FollowerRule
    /// Who sees whom the person follows.
    public var lists: ListAudience

    /// A profile.
    public init(
        displayName: String, description: String = "", gender: Gender = .unspecified, hue: AvatarHue = .zero,
        locale: Language? = nil, isDiscoverable: Bool = false, followers: FollowerRule = .approve,
        lists: ListAudience = .none
    ) {
        self.displayName = displayName
        self.description = description
        self.gender = gender
        self.hue = hue
        self.locale = locale
        self.isDiscoverable = isDiscoverable
        self.followers = followers
        self.lists = lists
    }
}

/// A person's gender as the person puts it.
public enum Gender: String, Sendable, CaseIterable {
    case unspecified
    case female
    case male
    case other
}

/// Who may follow a person without asking.
public enum FollowerRule: String, Sendable, CaseIterable {
    /// All who may see the person.
    case open
    /// Those alone whom the person accepts.
    case approve
}

/// Who sees the lists of people that a person has.
public enum ListAudience: String, Sendable, CaseIterable {
    /// The person alone.
    case none
    /// Friends, as far as they may see those on the list.
    case friends
}
