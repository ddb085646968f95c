public import Forms
import GradingKit
package import Shared

/// A request to create a service account, as far as it could be read.
public struct ServiceAccountCreation: Sendable {
    package let name: String?
    package let role: ServiceAccount.Role?
    /// A teacher's programs; `nil` for an element that is not a text.
    package let programs: [ProgramID?]
    package let scopes: Set<Scope>

    /// The form of a request to create a service account.
    public static let form = RequestForm(
        "ServiceAccountInput", example: ["name": "Timetables", "role": "registrar", "scopes": ["programs:read"]]
    ) { ServiceAccountCreation(&$0) }

    private init(_ form: inout Form) {
        name = form.line("name", max: ServiceAccount.longestName, required: true)
        role = form.choice("role", of: ServiceAccount.Role.self, required: true)
        programs = form.programs() ?? []
        scopes = form.serviceScopes(required: true) ?? []
    }
}

/// A request to change a service account, as far as it could be read; a value of `nil` leaves the member unchanged.
public struct ServiceAccountChange: Sendable {
    package let name: String?
    package let role: ServiceAccount.Role?
    /// A teacher's programs; `nil` for an element that is not a text.
    package let programs: [ProgramID?]?
    package let scopes: Set<Scope>?

    /// The form of a request to change a service account.
    public static let form = RequestForm("ServiceAccountChange", example: ["name": "Timetables"]) {
        ServiceAccountChange(&$0)
    }

    private init(_ form: inout Form) {
        name = form.line("name", max: ServiceAccount.longestName, required: form.ifPresent("name"))
        role = form.choice("role", of: ServiceAccount.Role.self, required: form.ifPresent("role"))
        programs = form.programs(required: form.ifPresent("programs"))
        scopes = form.serviceScopes(required: form.ifPresent("scopes"))
    }
}

extension Form {
    fileprivate mutating func programs(required: Bool = false) -> [ProgramID?]? {
        array("programs", of: .text, most: ServiceAccount.mostPrograms, required: required)?
            .map { $0.string.map { ProgramID($0) } }
    }

    fileprivate mutating func serviceScopes(required: Bool) -> Set<Scope>? {
        choices("scopes", of: ServiceAccount.scopes, most: Scope.allCases.count, required: required)
    }
}
