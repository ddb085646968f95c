public import Forms
import JSON
import Messages

/// An administrator's change of an account, as read from a request.
public struct AdministrativeEdit: Sendable {
    private let login: Login?
    private let displayName: String?
    private let personName: PersonNameEdit
    private let isDisabled: Bool?
    private let changesRole: Bool
    private let role: ServerRole?

    /// The form of an administrator's change of an account.
    public static let form = RequestForm("AccountPatch", example: ["disabled": true]) { AdministrativeEdit(&$0) }

    private init(_ form: inout Form) {
        login = form.login("login", required: form.ifPresent("login"))
        displayName = form.displayName("displayName", required: form.ifPresent("displayName"))
        personName = PersonNameEdit(&form)
        isDisabled = form.flag("disabled", required: form.ifPresent("disabled"))
        changesRole = form.has("role")
        role = form.choice("role", of: ServerRole.self)
    }

    package func applied(to account: Account) -> Account {
        var account = account
        account.login = login ?? account.login
        account.profile.displayName = displayName ?? account.profile.displayName
        account.profile.personName = personName.applied(to: account.profile.personName)
        account.isDisabled = isDisabled ?? account.isDisabled
        account.role = changesRole ? role : account.role
        return account
    }
}
