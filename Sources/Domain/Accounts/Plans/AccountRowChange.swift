public import Cryptography
public import Shared

/// A change of the stored rows of accounts.
public enum AccountRowChange: Sendable {
    /// Inserts an account.
    case insert(Account, password: PasswordHash?)
    /// Updates an account.
    case update(Account)
    /// Removes an account with its password, picture, tokens, devices, identities, memberships and invitations.
    case remove(AccountID)
    /// Removes the answers stored under the account's keys, the reports of its imports, and what other imports report
    /// about it.
    case forgetAnswers(of: AccountID)
    /// Erases the particulars of all audit rows about an account; the chains stay verifiable.
    case eraseAuditDetails(about: AccountID)
    /// Sets an account's password.
    case setPassword(PasswordHash, of: AccountID)
    /// Sets an account's picture; `nil` removes it.
    case setPicture(Picture?, of: AccountID)

    /// Inserts a session.
    case insertSession(Session, token: TokenDigest)
    /// Updates a session.
    case updateSession(Session)
    /// Stores that a session's owner proved their identity at that moment.
    case proveSession(SessionID, at: Timestamp)
    /// Stores the provider through which a session was opened.
    case setOrigin(SessionOrigin, of: SessionID)
    /// Removes a session.
    case removeSession(SessionID)
    /// Stores that a device signed in to an account, or updates when it last did.
    case noteDevice(TokenDigest, of: AccountID, at: Timestamp)
    /// Removes a known device of an account.
    case removeDevice(TokenDigest, of: AccountID)
    /// All devices but one count as strangers from now on.
    case removeDevices(of: AccountID, besides: TokenDigest?)

    /// Inserts a one-time token.
    case insertToken(OneTimeToken, digest: TokenDigest)
    /// Removes a one-time token that was used or replaced.
    case removeToken(TokenDigest)
    /// Removes all one-time tokens of an account.
    case removeTokens(of: AccountID)
    /// All one-time tokens that an account has made for others are void.
    case removeTokensMade(by: AccountID)

    /// Inserts a one-use token, with its number among those of its kind.
    case insertOneUse(OneUseToken, digest: TokenDigest, number: Int)
    /// Removes a one-use token that was used or has expired.
    case removeOneUse(TokenDigest)

    /// Sets an account's second factor, or removes the row if nothing is left of it.
    case setSecondFactor(SecondFactor)
    /// Inserts or updates a sign-in that waits for its second factor.
    case setChallenge(SignInChallenge, digest: TokenDigest)
    /// Removes a sign-in that waited for its second factor.
    case removeChallenge(TokenDigest)
    /// Removes all sign-ins of an account that wait for a second factor.
    case removeChallenges(of: AccountID)

    /// Inserts a passkey.
    case insertPasskey(Passkey)
    /// Updates a passkey.
    case updatePasskey(Passkey)
    /// Removes a passkey.
    case removePasskey(String)
    /// Sets the user handle by which authenticators know an account.
    case setUserHandle([UInt8], of: AccountID)

    /// Inserts an API token.
    case insertAPIToken(APIToken, digest: TokenDigest)
    /// Stores when an API token was used.
    case noteAPITokenUse(APITokenID, at: Timestamp)
    /// Removes an API token.
    case removeAPIToken(APITokenID)

    /// Sets an account's e-mail address, or removes the row if nothing is left of it.
    case setEmail(AccountEmail)
    /// Removes unsent mails of a kind about an account.
    case takeBackMails(Mail.Kind, of: AccountID)
    /// Removes unsent mails with links that set an account's password.
    case takeBackResets(of: AccountID)
    /// Removes an account's unconfirmed address with its link.
    case dropPendingEmail(of: AccountID)
    /// Stores a wish for a reset, replacing an earlier one for the login.
    case setResetWish(ResetWish)
    /// Removes a wish for a reset that was answered.
    case removeResetWish(ResetWish)

    /// Stores that an assertion was used, for as long as it could be accepted again.
    case useAssertion(Assertion)
    /// Stores that a provider's notice was used, for as long as it could be accepted again.
    case useNotice(TokenDigest, until: Timestamp)
    /// Links an identity with an account.
    case insertIdentity(LinkedIdentity)
    /// Removes the link of an identity.
    case removeIdentity(LinkedIdentity)
    /// Stores that an issuer vouches for an account's second factor.
    case noteVouching(issuer: String, of: AccountID)
    /// Removes the assumption that an issuer vouches for an account's second factor: it was asked, and does not.
    case dropPresumedVouching(issuer: String, of: AccountID)
    /// Lowers the sessions and API tokens of an account to one factor if an issuer vouched for their second.
    case lowerVouched(of: AccountID, by: String)
    /// Removes what issuers vouched for an account's second factor, until one does so again.
    case forgetVouching(of: AccountID)
}

/// The plan of one write to accounts.
public typealias AccountPlan<Value: Sendable> = WritePlan<AccountRowChange, Value>
