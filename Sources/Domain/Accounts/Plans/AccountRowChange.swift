public import Cryptography
public import Shared

/// A change of the rows that accounts are kept in.
public enum AccountRowChange: Sendable {
    /// A new account.
    case insert(Account, password: PasswordHash?)
    /// An account's new values.
    case update(Account)
    /// The account goes, with its password, picture, tokens, devices, identities, memberships and invitations.
    case remove(AccountID)
    /// The answers kept under the account's keys go, what is remembered of its imports, and what other imports list
    /// about it.
    case forgetAnswers(of: AccountID)
    /// The particulars of all lines of the trails about the account are erased; the chains stay whole.
    case eraseAuditDetails(about: AccountID)
    /// The account's password.
    case setPassword(PasswordHash, of: AccountID)
    /// The account's picture.
    case setPicture(Picture?, of: AccountID)

    /// A sign-in.
    case insertSession(Session, token: TokenDigest)
    /// A session's new values.
    case updateSession(Session)
    /// The owner of a session has shown who he or she is at that moment.
    case proveSession(SessionID, at: Timestamp)
    /// Through which provider a session was opened.
    case setOrigin(SessionOrigin, of: SessionID)
    /// A session ends.
    case removeSession(SessionID)
    /// A device signed in to the account; one that did before takes the new moment.
    case noteDevice(TokenDigest, of: AccountID, at: Timestamp)
    /// A device counts as a stranger from now on.
    case removeDevice(TokenDigest, of: AccountID)
    /// All devices but one count as strangers from now on.
    case removeDevices(of: AccountID, besides: TokenDigest?)

    /// A one-time token.
    case insertToken(OneTimeToken, digest: TokenDigest)
    /// A one-time token is used up, or replaced.
    case removeToken(TokenDigest)
    /// All one-time tokens of an account are void.
    case removeTokens(of: AccountID)
    /// All one-time tokens that an account has made for others are void.
    case removeTokensMade(by: AccountID)

    /// A token that is used once, under its number among those of its kind.
    case insertOneUse(OneUseToken, digest: TokenDigest, number: Int)
    /// A token that is used once is used up, or over.
    case removeOneUse(TokenDigest)

    /// An account's second factor; the row goes where nothing is left of it.
    case setSecondFactor(SecondFactor)
    /// A sign-in waits for its second factor.
    case setChallenge(SignInChallenge, digest: TokenDigest)
    /// A sign-in waits no longer.
    case removeChallenge(TokenDigest)
    /// All sign-ins of an account wait no longer.
    case removeChallenges(of: AccountID)

    /// A new passkey.
    case insertPasskey(Passkey)
    /// A passkey's new values.
    case updatePasskey(Passkey)
    /// The end of a passkey.
    case removePasskey(String)
    /// What authenticators know an account by.
    case setUserHandle([UInt8], of: AccountID)

    /// A new API token.
    case insertAPIToken(APIToken, digest: TokenDigest)
    /// An API token was used.
    case noteAPITokenUse(APITokenID, at: Timestamp)
    /// The end of an API token.
    case removeAPIToken(APITokenID)

    /// An account's address; the row goes where nothing is left of it.
    case setEmail(AccountEmail)
    /// Mails of a kind about an account are not sent any more.
    case takeBackMails(Mail.Kind, of: AccountID)
    /// The address that waits to be confirmed is forgotten, and its link is void.
    case dropPendingEmail(of: AccountID)
    /// A wish for a reset, in place of an earlier one for the login.
    case setResetWish(ResetWish)
    /// A wish for a reset is answered.
    case removeResetWish(ResetWish)

    /// An assertion is used up; it is remembered for as long as it could be believed.
    case useAssertion(Assertion)
    /// What a provider said once is remembered for as long as it could be believed.
    case useNotice(TokenDigest, until: Timestamp)
    /// A link.
    case insertIdentity(LinkedIdentity)
    /// The end of a link.
    case removeIdentity(LinkedIdentity)
    /// An issuer vouches for an account's second factor from now on.
    case noteVouching(issuer: String, of: AccountID)
    /// Whether an issuer vouches for an account's second factor is presumed no longer: it was asked, and does not.
    case dropPresumedVouching(issuer: String, of: AccountID)
    /// What sessions and API tokens of an account have shown counts as one factor where a provider vouched for two.
    case lowerVouched(of: AccountID)
    /// No issuer vouches for an account's second factor any more, until one does so again.
    case forgetVouching(of: AccountID)
}

/// What one write does to accounts.
public typealias AccountPlan<Value: Sendable> = WritePlan<AccountRowChange, Value>
