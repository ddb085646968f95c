import Accounts
import Application
import Configuration
import Cryptography
import Forms
import GradingKit
import Institutions
import Shared

/// A sign-in for each role and a class with results, made at the first demonstration and kept in the data folder.
struct Demonstration {
    let installation: Installation

    private var file: String { installation.configuration.dataFolder + "/demo-sign-ins.json" }

    private static let roles = ["administrator", "registrar", "teacher", "student"]

    /// Makes the accounts unless they are there, and prints how to sign in.
    func prepare() async throws {
        guard let institution = try await installation.institutions.tenants.find("demo") else {
            throw Failure("--demo needs the institution \"demo\"; leave institutions out of the configuration.")
        }
        var signIns = try await existing()
        if signIns == nil { signIns = try await make(in: institution) }
        Console.say("Demo sign-ins (also in \(file)):")
        for role in Self.roles {
            let login = signIns?[role]?["login"]?.string ?? ""
            let password = signIns?[role]?["password"]?.string ?? ""
            Console.say("  \(role.padded(to: 14)) \(login.padded(to: 20)) \(password)")
        }
    }

    /// The sign-ins of an earlier start, if its accounts are still there.
    private func existing() async throws -> JSON? {
        guard let bytes = try Files.contents(of: file, isRequired: false), let json = try? JSON.parse(bytes) else {
            return nil
        }
        for role in Self.roles {
            guard let login = json[role]?["login"]?.string, try await account(login) != nil else { return nil }
        }
        return json
    }

    private func account(_ login: String) async throws -> Account? {
        try await installation.accounts.administration.find(login: login)
    }

    private func make(in institution: Institution) async throws -> JSON {
        let taught = try await DemonstrationClass.programs(installation, in: institution)
        let course = try await DemonstrationClass.course(installation, in: institution)
        var object = JSONObject()
        var accounts: [String: Account] = [:]
        for role in Self.roles {
            let made = try await make(role, in: institution)
            object[role] = made.signIn
            accounts[role] = made.account
        }
        if let teacher = accounts["teacher"], let student = accounts["student"] {
            try await DemonstrationClass(
                installation: installation, institution: institution, taught: taught, course: course,
                teacher: teacher.id, student: student.id
            ).make()
        }
        // The file comes last, so that an interrupted first start continues where it stopped.
        try Files.writePrivately(JSON.object(object).bytes, to: file)
        return .object(object)
    }

    private var act: AuditContext { AuditContext(by: nil, from: "demo", at: WallClock.system.now) }

    private func make(
        _ role: String, in institution: Institution
    ) async throws -> (account: Account, signIn: JSON) {
        let password = String(SecretToken(random: .system).text.prefix(16))
        let login = "demo-\(role)"
        var body: JSONObject = [
            "login": .string(login), "password": .string(password), "displayName": .string("Demo \(role)"),
        ]
        if role == "administrator" { body["role"] = "administrator" }
        let account: Account
        if let there = try await self.account(login) {
            // The file with the passwords is gone, the account is not: give it a new password.
            let token = try await installation.accounts.administration.reset(there.id, by: act)
            account = try await installation.accounts.passwords.redeem(
                FormInput(PasswordReset(token: token.text, password: Password(password))), from: Client(source: "demo"))
        } else {
            account = try await installation.accounts.administration.create(
                AccountCreation.form.input(.object(body)), by: act
            ).account
        }
        if let role = MemberRole(rawValue: role) { try await enrol(account, as: role, in: institution, by: act) }
        return (account, ["login": .string(login), "password": .string(password)])
    }

    private func enrol(_ account: Account, as role: MemberRole, in institution: Institution, by act: AuditContext)
        async throws
    {
        let programs = try await installation.institutions.programs.list(
            of: institution.id, publishedOnly: true, limit: 200)
        let place = MemberPlace(role, programs: role == .teacher ? programs.map(\.id) : [])
        _ = try await installation.institutions.members.set(
            FormInput(place), for: account.id, in: institution.id, by: act)
    }
}
