import Forms
import Shared

/// A change of a first and last name, as read from a request: `null` takes one away, what is absent stays.
struct PersonNameEdit: Sendable {
    /// The first name; `.some(nil)` takes it away.
    private let given: String??
    /// The last name; `.some(nil)` takes it away.
    private let family: String??

    init(_ form: inout Form) {
        given = form.clears("givenName") ? .some(nil) : form.givenName().map { .some($0) }
        family = form.clears("familyName") ? .some(nil) : form.familyName().map { .some($0) }
    }

    /// Returns the name after the change.
    func applied(to name: PersonName) -> PersonName {
        PersonName(given: given ?? name.given, family: family ?? name.family)
    }
}
