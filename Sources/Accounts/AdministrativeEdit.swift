import Forms
import GradingKit

/// An administrator's change of an account, found acceptable.
struct AdministrativeEdit: Sendable {
    private let login: Login?
    private let displayName: String?
    private let isDisabled: Bool?
    private let changesRole: Bool
    private let role: ServerRole?

    init(_ body: JSON) throws(FaultList) {
        var form = Form(body)
        login = form.login("login", required: form.has("login"))
        displayName = form.displayName("displayName", required: form.has("displayName"))
        isDisabled = form.flag("disabled", required: form.has("disabled"))
        changesRole = form.has("role")
        role = form.choice("role", of: ServerRole.self)
        try form.finish()
    }

    func applied(to account: Account) -> Account {
        var account = account
        account.login = login ?? account.login
        account.profile.displayName = displayName ?? account.profile.displayName
        account.isDisabled = isDisabled ?? account.isDisabled
        account.role = changesRole ? role : account.role
        return account
    }
}
