package import Forms
import JSON
package import Messages
package import Shared

/// A valid request for a new account.
public struct AccountDraft: Sendable {
    package let login: Login
    package let profile: Profile
    package let password: Password?
}

/// Checks requests for new accounts.
package struct AccountDrafts: Sendable {
    package let rules: PasswordRules

    /// Creates a check by the rules for passwords.
    package init(rules: PasswordRules) { self.rules = rules }

    /// Checks what can be checked only after reading the form, and throws all faults at once.
    ///
    /// Whether the login is taken is not checked here: the store finds that out, for a request that is otherwise valid.
    package func check(_ request: AccountRequest, in form: Form) throws(FaultList) -> AccountDraft {
        var form = form
        if let password = request.password {
            form.refuse("password", rules.faults(password, login: request.login))
        }
        try form.finish()
        guard let login = request.login, let displayName = request.displayName else {
            throw FaultList([Fault(.missingField)])
        }
        return AccountDraft(
            login: login,
            profile: Profile(
                displayName: displayName, personName: request.personName, locale: request.locale),
            password: request.password)
    }
}

/// A request for a new account, as far as it could be read.
public struct AccountRequest: Sendable {
    package let login: Login?
    package let displayName: String?
    package let personName: PersonName
    package let locale: Language?
    package let password: Password?
    /// Whether the answer sets a cookie instead of returning the session's token.
    public let wantsCookie: Bool
    /// The name that the client gives its device.
    public let deviceName: String?

    init(login: Login, displayName: String, password: Password) {
        self.login = login
        self.displayName = displayName
        personName = .none
        locale = nil
        self.password = password
        wantsCookie = false
        deviceName = nil
    }

    /// Reads a request.
    ///
    /// - Parameter isOwn: Whether the account's owner sends it, who must give a password and gets a session.
    init(_ form: inout Form, isOwn: Bool = true) {
        login = form.login("login", required: true)
        displayName = form.displayName("displayName", required: true)
        personName = PersonName(given: form.givenName(), family: form.familyName())
        locale = form.choice("locale", of: Language.self)
        password = form.text("password", required: isOwn, as: .text(8...256)).map { Password($0) }
        wantsCookie = isOwn ? form.flag("cookie") ?? false : false
        deviceName = isOwn ? form.deviceName() : nil
    }
}

extension JSONSchema {
    fileprivate static let hue = decimal.with(["minimum": 0, "maximum": 360])
}

extension Form {
    mutating func login(_ name: String, required: Bool = false) -> Login? {
        parse(name, text(name, required: required, as: .text(1...Login.maximumLength))) { text throws(FaultList) in
            try Login(text)
        }
    }

    mutating func displayName(_ name: String, required: Bool = false) -> String? {
        line(name, max: 100, required: required)
    }

    mutating func givenName() -> String? { line("givenName", max: 100) }

    mutating func familyName() -> String? { line("familyName", max: 100) }

    mutating func description(_ name: String) -> String? {
        lines(name, max: 1_000)
    }

    mutating func hue(_ name: String) -> AvatarHue? {
        parse(name, json(name, as: .hue)) { json throws(FaultList) in try AvatarHue(json) }
    }
}
