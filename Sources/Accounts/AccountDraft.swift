import Forms
import GradingKit
import Storage

/// A new account as somebody asks for it, found acceptable.
public struct AccountDraft: Sendable {
    let login: Login
    let profile: Profile
    let password: Password?
}

/// Reads requests for new accounts.
struct AccountDrafts: Sendable {
    let rules: PasswordRules

    /// Reads `{login,password,displayName,locale?}` and finds everything wrong with it at once. Members of the names
    /// in `others` are known to somebody else.
    ///
    /// Whether the login is taken is not among it: only the store says so, to a request that is otherwise in order.
    func read(_ body: JSON, needsPassword: Bool, others: [String] = []) throws(FaultList) -> AccountDraft {
        var form = Form(body)
        for name in others { _ = form.has(name) }
        let login = form.login("login", required: true)
        let displayName = form.displayName("displayName", required: true)
        let locale = form.choice("locale", of: Language.self)
        let password = form.text("password", required: needsPassword).map { Password($0) }
        if let password { form.refuse("password", rules.faults(password, login: login)) }
        try form.finish()
        guard let login, let displayName else { throw FaultList([Fault(.missingField)]) }
        return AccountDraft(
            login: login, profile: Profile(displayName: displayName, locale: locale ?? .english), password: password)
    }
}

/// Runs a write that stores a login, and says of a taken one where in the request it stands.
func refusingTakenLogin<Value: Sendable>(_ write: () async throws -> Value) async throws -> Value {
    do {
        return try await write()
    } catch StoreError.taken(field: "login") {
        throw FaultList([Fault(.loginTaken, at: "/login")])
    }
}

extension Form {
    mutating func login(_ name: String, required: Bool = false) -> Login? {
        parse(name, text(name, required: required)) { text throws(FaultList) in try Login(text) }
    }

    mutating func displayName(_ name: String, required: Bool = false) -> String? {
        line(name, max: 100, required: required)
    }

    mutating func description(_ name: String) -> String? {
        lines(name, max: 1_000)
    }

    mutating func hue(_ name: String) -> AvatarHue? {
        parse(name, json(name)) { json throws(FaultList) in try AvatarHue(json) }
    }
}
