public import Forms
import GradingKit
public import Shared

/// A request to give a person a role, as far as it could be read.
public struct MemberPlace: Sendable {
    /// The role; `nil` if it is missing or wrong.
    public let role: MemberRole?
    /// A teacher's programs; `nil` for an element that is not a text.
    package let programs: [ProgramID?]

    /// The form of a request that gives a person a role, at once or with an invitation.
    public static let form = RequestForm("MemberInput", example: ["role": "teacher", "programs": []]) {
        MemberPlace(&$0)
    }

    /// Creates a role, with programs for a teacher.
    public init(_ role: MemberRole, programs: [ProgramID] = []) {
        self.role = role
        self.programs = programs
    }

    fileprivate init(_ form: inout Form) {
        role = form.choice("role", of: MemberRole.self, required: true)
        programs = form.array("programs", of: .text, most: 1_000)?.map { $0.string.map { ProgramID($0) } } ?? []
    }
}

/// A request for an invitation, as far as it could be read. If it names an address, the link is mailed there.
public struct InvitationRequest: Sendable {
    package let place: MemberPlace
    package let email: EmailAddress?

    /// The form of a request for an invitation.
    public static let form = RequestForm(
        "InvitationInput", example: ["role": "student", "email": "ada@example.org"]
    ) { InvitationRequest(&$0) }

    private init(_ form: inout Form) {
        place = MemberPlace(&form)
        email = form.parse("email", form.text("email")) { text throws(FaultList) in try EmailAddress(text) }
    }
}

/// A request to accept an invitation: the token of its link, or the identifier of an invitation for the sender's
/// account.
public struct InvitationAcceptance: Sendable {
    /// The key of the invitation; `nil` if the text is not a key.
    package let key: InvitationKey?
    /// The JSON pointer of the key in the request.
    package let pointer: String

    /// The form of a request to accept an invitation.
    public static let form = RequestForm("InvitationAcceptance", example: ["token": "…"]) { InvitationAcceptance(&$0) }

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
