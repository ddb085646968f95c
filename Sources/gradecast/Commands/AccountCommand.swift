import Accounts
import Application
import Configuration
import Cryptography
import DataStore
import Forms
import GradingKit
import Shared

/// Manages accounts from the command line, for people who can read the data anyway.
struct AccountCommand: Command {
    static let name = "account"
    static let summary = "create an account, change its role, disable it, reset its password or second factor"
    static let usage = """
        gradecast account create LOGIN --name NAME [--first-name NAME] [--last-name NAME] [--role administrator]
        gradecast account role LOGIN administrator|none
        gradecast account disable LOGIN        gradecast account enable LOGIN
        gradecast account reset LOGIN
        gradecast account second-factor --remove LOGIN
        gradecast account forget-passwords

        create and reset print a one-time token with which the owner sets a password. second-factor --remove is for an owner
        who has lost it: the authenticator app, the recovery codes and all passkeys stop counting, and all sessions and API
        tokens end.
        forget-passwords is for a key file that is lost: it takes away the passwords that cannot be compared any more. A
        server that is running takes notice at once: sessions that end here end there.

        \(ServerConfiguration.optionsUsage)
        """

    static func run(_ arguments: inout Arguments, until stop: StopSignal) async throws {
        let verb = arguments.word()
        if verb == "forget-passwords" { return try await forgetPasswords(&arguments) }
        let removes = arguments.flag("--remove")
        guard let verb, let login = arguments.word() else {
            throw UsageError("account needs a verb and a login.", of: name)
        }
        guard removes == (verb == "second-factor") else {
            throw UsageError("second-factor needs --remove, and nothing else takes it.", of: name)
        }
        var names = JSONObject()
        let options = ["--name": "displayName", "--first-name": "givenName", "--last-name": "familyName"]
        for (option, member) in options {
            if let name = try arguments.option(option) { names[member] = .string(name) }
        }
        let wantedRole = try arguments.option("--role")
        let role = verb == "role" ? arguments.word() : wantedRole
        var configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        // Accounts need no scheme, so a broken one must not keep an administrator out.
        configuration.plugins = []
        let installation = try Installation(configuration, mayBeGuest: true)
        do {
            let operations = AccountOperations(accounts: installation.accounts)
            switch verb {
            case "create": try await operations.create(login, names, role: role)
            case "role": try await operations.setRole(role, of: login)
            case "disable": try await operations.edit(login, ["disabled": true])
            case "enable": try await operations.edit(login, ["disabled": false])
            case "reset": try await operations.reset(login)
            case "second-factor": try await operations.removeSecondFactor(login)
            default: throw UsageError("account does not know \(verb).", of: name)
            }
        } catch {
            await installation.store.close()
            if let faults = error as? FaultList {
                let lines = faults.faults.map { "  \($0.path): \($0.code)" }
                throw Failure("Not accepted:\n" + lines.joined(separator: "\n"))
            }
            throw error
        }
        await leave(installation.store, of: configuration)
    }

    /// Closes the store once a server that runs at the same time has taken in the changes.
    private static func leave(_ store: DataStore, of configuration: ServerConfiguration) async {
        if store.upkeep.isGuest, (try? await store.upkeep.isHeeded(within: .seconds(5))) != true {
            let place = Installation.stores(configuration).place
            Console.complain("The server that uses \(place) has not taken notice yet; look whether it is well.")
        }
        await store.close()
    }

    private static func forgetPasswords(_ arguments: inout Arguments) async throws {
        let configuration = try ServerConfiguration.load(&arguments)
        try arguments.finish()
        let pepper = try KeyFile(configuration).found()
        let store = try Installation.open(configuration, mayBeGuest: true)
        let act = AuditContext(by: nil, from: "cli", at: WallClock.system.now)
        let forgotten: Int
        do {
            forgotten = try await store.upkeep.forgetPasswords(
                besides: pepper, audit: act.entry("passwords.forgotten", of: "*"))
        } catch {
            await store.close()
            throw error
        }
        await leave(store, of: configuration)
        Console.say(
            """
            Forgotten: \(forgotten). Who has no password any more gets one by gradecast account reset LOGIN; where no \
            administrator has one, the next start prints a link for the first.
            """)
    }
}

private struct AccountOperations {
    let accounts: AccountServices
    private let act = AuditContext(by: nil, from: "cli", at: WallClock.system.now)

    init(accounts: AccountServices) { self.accounts = accounts }

    func create(_ login: String, _ names: JSONObject, role: String?) async throws {
        var body = names
        body["login"] = .string(login)
        if body["displayName"] == nil { body["displayName"] = .string(login) }
        if let role { body["role"] = .string(role) }
        let (account, token) = try await accounts.administration.create(
            AccountCreation.form.input(.object(body)), by: act)
        Console.say("Created \(account.login) (\(account.id)).")
        if let token { Console.say("Password token, holds once, for 7 days: \(token.text)") }
    }

    func setRole(_ role: String?, of login: String) async throws {
        guard let role else { throw UsageError("role needs administrator or none.", of: AccountCommand.name) }
        try await edit(login, ["role": role == "none" ? .null : .string(role)])
    }

    func edit(_ login: String, _ body: JSON) async throws {
        let account = try await accounts.administration.edit(
            AdministrativeEdit.form.read(body), of: try await find(login).id, by: act)
        let role = account.role.map { ", \($0.rawValue)" } ?? ""
        Console.say("\(account.login): \(account.isDisabled ? "disabled" : "enabled")\(role)")
    }

    func reset(_ login: String) async throws {
        let token = try await accounts.administration.reset(try await find(login).id, by: act)
        Console.say("Password token, holds once, for 30 minutes: \(token.text)")
    }

    func removeSecondFactor(_ login: String) async throws {
        let account = try await find(login)
        do {
            try await accounts.secondFactors.forget(of: account.id, by: act)
        } catch StoreError.notFound {
            throw Failure("\(account.login) has neither a second factor nor a passkey.")
        }
        Console.say("\(account.login): no second factor, passkey and API token any more, and signed out everywhere")
        let (identities, hasPassword) = try await accounts.identities.list(of: account.id)
        guard !hasPassword, identities.isEmpty else { return }
        Console.say("No way to sign in is left: gradecast account reset \(account.login) makes one.")
    }

    private func find(_ login: String) async throws -> Account {
        guard let account = try await accounts.administration.find(login: login) else {
            throw Failure("There is no account \(login).")
        }
        return account
    }
}
