public import Forms
import JSON
import Messages
import Shared

/// A change of a profile, as read from a request; a value of `nil` leaves the member unchanged.
public struct ProfileEdit: Sendable {
    private let displayName: String?
    private let personName: PersonNameEdit
    private let description: String?
    private let gender: Gender?
    private let hue: AvatarHue?
    /// The language; `.some(nil)` clears the choice.
    private let locale: Language??
    private let isDiscoverable: Bool?
    private let followers: FollowerRule?
    private let lists: ListAudience?

    /// The form of a request to change a profile; `null` restores the value of a new account.
    public static let form = RequestForm("ProfilePatch", example: ["displayName": "Ada", "avatarHue": 210]) {
        ProfileEdit(&$0)
    }

    private init(_ form: inout Form) {
        displayName = form.displayName("displayName", required: form.ifPresent("displayName"))
        personName = PersonNameEdit(&form)
        description = form.description("description") ?? (form.clears("description") ? "" : nil)
        gender = form.choice("gender", of: Gender.self) ?? (form.clears("gender") ? .unspecified : nil)
        hue = form.hue("avatarHue") ?? (form.clears("avatarHue") ? .zero : nil)
        isDiscoverable = form.flag("discoverable") ?? (form.clears("discoverable") ? false : nil)
        followers = form.choice("followers", of: FollowerRule.self) ?? (form.clears("followers") ? .approve : nil)
        lists = form.choice("lists", of: ListAudience.self) ?? (form.clears("lists") ? ListAudience.none : nil)
        locale = form.clears("locale") ? .some(nil) : form.choice("locale", of: Language.self).map { .some($0) }
    }

    /// Returns the profile after the change.
    public func applied(to profile: Profile) -> Profile {
        Profile(
            displayName: displayName ?? profile.displayName, personName: personName.applied(to: profile.personName),
            description: description ?? profile.description, gender: gender ?? profile.gender, hue: hue ?? profile.hue,
            locale: locale ?? profile.locale, isDiscoverable: isDiscoverable ?? profile.isDiscoverable,
            followers: followers ?? profile.followers, lists: lists ?? profile.lists)
    }
}
