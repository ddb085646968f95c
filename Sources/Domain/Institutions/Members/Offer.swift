/// The result of an offer of a membership.
public enum Offer: Sendable, Equatable {
    /// The membership changed at once.
    case membership(Membership)
    /// The account's owner has yet to accept the invitation.
    case invitation(Invitation)
}

/// The reason why a membership may not be changed.
public enum MembershipRefusal: Error, Equatable, Sendable {
    /// The account tried to raise its own role.
    case ownRole
    /// The caller may not decide on this role.
    case otherRole
}
