import Accounts
import Classes
import Gradebook
import GradingKit
import Institutions
import People
import Records
import Shared

/// What a caller is shown of a hit: each one is authorized again, by the rule for everything else.
struct SearchItems: Sendable {
    let records: RecordService
    let classes: ClassService
    let friends: Friends

    /// Returns the item of a hit; `nil` if the caller may not see it, or it is gone.
    func item(_ kind: SearchKind, _ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        do {
            return switch kind {
            case .institution: try await institution(hit, context)
            case .program: try await program(hit, context)
            case .taughtClass: try await taughtClass(hit, context)
            case .person: try await person(hit, context)
            case .student: try await student(hit, context)
            case .record, .entry, .scheme, .regulation: nil
            }
        } catch let error as UseCaseError where Self.refusals.contains(error.code) {
            return nil
        }
    }

    private static let refusals = [UseCaseError.notFound.code, UseCaseError.forbidden.code]

    private func institution(_ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        let found = try await records.access.institution(.read, hit.id, for: context.principal)
        return Search.Item(id: found.id.text, title: found.title, members: ["slug": .string(found.slug.text)])
    }

    private func program(_ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        let found = try await records.access.program(.read, ProgramID(hit.id), for: context.principal)
        return Search.Item(
            id: found.program.id.text, title: found.program.title,
            members: [
                "institution": .string(found.institution.id.text),
                "institutionTitle": .string(found.institution.title), "scheme": .string(found.program.scheme),
                "published": .bool(found.program.newest != nil),
            ])
    }

    private func taughtClass(_ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        guard let found = try await classes.store.taughtClass(ClassID(hit.id)),
            try await classes.mayRead(found, context.principal)
        else { return nil }
        let program = try await records.institutions.programs.find(found.head.program)
        return Search.Item(
            id: found.head.id.text, title: found.head.title,
            members: [
                "program": .string(found.head.program.text), "programTitle": .text(program?.title),
                "state": .string(found.head.state.rawValue),
            ])
    }

    private func person(_ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        let (account, _) = try await friends.person(AccountID(hit.id), seenBy: context.principal)
        return Search.Item(
            id: account.id.text, title: account.profile.displayName, members: ["person": .object(card(of: account))])
    }

    private func card(of account: Account) -> JSONObject {
        var writer = JSONWriter()
        account.writeCard(to: &writer)
        return (try? JSON.parse(writer.bytes))?.object ?? [:]
    }

    /// A student as registrars and teachers find him or her: by the institution or the program that lets them.
    private func student(_ hit: SearchHit, _ context: RequestContext) async throws -> Search.Item? {
        var members: JSONObject = [:]
        let institution: InstitutionID
        if let program = hit.audience.overseenProgram {
            let found = try await records.access.program(.oversee, program, for: context.principal)
            institution = found.institution.id
            members["program"] = .string(program.text)
            members["programTitle"] = .string(found.program.title)
        } else if let overseen = hit.audience.overseenInstitution {
            let found = try await records.access.members(of: overseen.text, for: context.principal)
            guard found.seesAll else { return nil }
            institution = found.institution.id
        } else {
            return nil
        }
        guard let account = try await friends.profiles.account(AccountID(hit.id)), !account.isDisabled else {
            return nil
        }
        let number = try await records.institutions.members.memberships(of: account.id).first {
            $0.institution == institution
        }?.studentNumber
        members["institution"] = .string(institution.text)
        members["login"] = .string(account.login.text)
        members["studentNumber"] = .text(number)
        return Search.Item(id: account.id.text, title: account.profile.displayName, members: members)
    }
}
