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
    /// Who may see the person's standing and find the person by search.
    public var sharing: Sharing

    /// A profile.
    public init(
        displayName: String, description: String = "", gender: Gender = .unspecified, hue: AvatarHue = .zero,
        locale: Language? = nil, sharing: Sharing = .nobody
    ) {
        self.displayName = displayName
        self.description = description
        self.gender = gender
        self.hue = hue
        self.locale = locale
        self.sharing = sharing
    }
}

/// A person's gender as the person puts it.
public enum Gender: String, Sendable, CaseIterable {
    case unspecified
    case female
    case male
    case other
}

/// Who, beside staff, may see a person's standing and find the person by search.
public enum Sharing: String, Sendable, CaseIterable {
    /// Only the owner; the default.
    case nobody
    /// Those whom the person follows back.
    case friends
    /// Everybody.
    case everyone
}
