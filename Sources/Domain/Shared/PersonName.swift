/// What institutions know a person by, beside the display name that everybody sees: `given_name` and `family_name` of
/// OpenID Connect. Each part is one line of up to 100 code points.
public struct PersonName: Sendable, Hashable {
    /// The first name, or all of them; `nil` if the person has not said it.
    public var given: String?
    /// The last name, or all of them; `nil` if the person has not said it.
    public var family: String?

    /// The name of a person who has not said any part of it.
    public static let none = PersonName()

    /// Creates a name.
    public init(given: String? = nil, family: String? = nil) {
        self.given = given
        self.family = family
    }

    /// The parts that the person has said, the first name first.
    public var parts: [String] { [given, family].compactMap(\.self) }
}
