public import Forms
public import GradingKit
public import Shared

/// A request that gives a person a role, as far as it could be read.
public struct MemberPlace: Sendable {
    /// The role.
    public let role: MemberRole?
    /// A teacher's programs; `nil` for an element that is no text.
    let programs: [ProgramID?]

    /// What a request holds that gives a person a role, at once or by an invitation.
    public static let form = RequestForm("MemberInput", example: ["role": "teacher", "programs": []]) {
        MemberPlace(&$0)
    }

    /// A role, for a teacher with programs.
    public init(_ role: MemberRole, programs: [ProgramID] = []) {
        self.role = role
        self.programs = programs
    }

    fileprivate init(_ form: inout Form) {
        role = form.choice("role", of: MemberRole.self, required: true)
        programs = form.array("programs", of: .text, most: 1_000)?.map { $0.string.map { ProgramID($0) } } ?? []
    }
}

/// A request for an invitation, as far as it could be read. Where it names an address, the link is mailed there.
public struct InvitationRequest: Sendable {
    let place: MemberPlace
    let email: EmailAddress?

    /// What a request for an invitation holds.
    public static let form = RequestForm(
        "InvitationInput", example: ["role": "student", "email": "ada@example.org"]
    ) { InvitationRequest(&$0) }

    private init(_ form: inout Form) {
        place = MemberPlace(&form)
        email = form.parse("email", form.text("email")) { text throws(FaultList) in try EmailAddress(text) }
    }
}

/// What accepts an invitation: the token of its link, or the identifier of one that is made out to its sender.
public struct InvitationAcceptance: Sendable {
    /// The key of the invitation; `nil` for text that is none.
    let key: InvitationKey?
    /// Where in the request the key stands.
    let pointer: String

    /// What a request holds that accepts an invitation.
    public static let form = RequestForm("InvitationAcceptance", example: ["token": "…"]) { InvitationAcceptance(&$0) }

    /// Reads `{token}` or `{invitation}`; throws everything wrong at once.
    public init(_ body: JSON) throws(FaultList) { self = try Self.form.read(body) }

    private init(_ form: inout Form) {
        let (token, offer) = (form.text("token"), form.text("invitation"))
        let isOffer = form.has("invitation")
        let name = isOffer ? "invitation" : "token"
        if token == nil, offer == nil { form.refuse(name, .missingField) }
        if token != nil, offer != nil { form.refuse("token", .unknownField) }
        key = isOffer ? offer.map { .offer($0) } : token.flatMap { InvitationKey(token: $0) }
        pointer = "/" + name
    }
}
