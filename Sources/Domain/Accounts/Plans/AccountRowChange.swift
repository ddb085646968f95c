public import Cryptography
public import Shared

/// A change of the stored rows of accounts. Each group of rows has a type of its own, which a store takes apart in one
/// switch that knows every case.
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

    /// Changes sessions and the devices that an account knows.
    case session(SessionRowChange)
    /// Changes one-time and one-use tokens.
    case token(TokenRowChange)
    /// Changes a second factor and the sign-ins that wait for one.
    case secondFactor(SecondFactorRowChange)
    /// Changes passkeys.
    case passkey(PasskeyRowChange)
    /// Changes API tokens.
    case apiToken(APITokenRowChange)
    /// Changes an e-mail address and the mails about it.
    case email(EmailRowChange)
    /// Changes identities and what their issuers vouch for.
    case identity(IdentityRowChange)
}

/// A change of the stored rows of sessions.
public enum SessionRowChange: Sendable {
    /// Inserts a session.
    case insert(Session, token: TokenDigest)
    /// Updates a session.
    case update(Session)
    /// Stores that a session's owner proved their identity at that moment.
    case prove(SessionID, at: Timestamp)
    /// Stores the provider through which a session was opened.
    case setOrigin(SessionOrigin, of: SessionID)
    /// Removes a session.
    case remove(SessionID)
    /// Stores that a device signed in to an account, or updates when it last did.
    case noteDevice(TokenDigest, of: AccountID, at: Timestamp)
    /// Removes a known device of an account.
    case removeDevice(TokenDigest, of: AccountID)
    /// All devices but one count as strangers from now on.
    case removeDevices(of: AccountID, besides: TokenDigest?)
}

/// A change of the stored rows of one-time and one-use tokens.
public enum TokenRowChange: Sendable {
    /// Inserts a one-time token.
    case insert(OneTimeToken, digest: TokenDigest)
    /// Removes a one-time token that was used or replaced.
    case remove(TokenDigest)
    /// Removes all one-time tokens of an account.
    case removeAll(of: AccountID)
    /// All one-time tokens that an account has made for others are void.
    case removeMade(by: AccountID)
    /// Inserts a one-use token, with its number among those of its kind.
    case insertOneUse(OneUseToken, digest: TokenDigest, number: Int)
    /// Removes a one-use token that was used or has expired.
    case removeOneUse(TokenDigest)
}

/// A change of the stored rows of second factors.
public enum SecondFactorRowChange: Sendable {
    /// Sets an account's second factor, or removes the row if nothing is left of it.
    case set(SecondFactor)
    /// Inserts or updates a sign-in that waits for its second factor.
    case setChallenge(SignInChallenge, digest: TokenDigest)
    /// Removes a sign-in that waited for its second factor.
    case removeChallenge(TokenDigest)
    /// Removes all sign-ins of an account that wait for a second factor.
    case removeChallenges(of: AccountID)
}

/// A change of the stored rows of passkeys.
public enum PasskeyRowChange: Sendable {
    /// Inserts a passkey.
    case insert(Passkey)
    /// Updates a passkey.
    case update(Passkey)
    /// Removes a passkey.
    case remove(String)
    /// Sets the user handle by which authenticators know an account.
    case setUserHandle([UInt8], of: AccountID)
}

/// A change of the stored rows of API tokens.
public enum APITokenRowChange: Sendable {
    /// Inserts an API token.
    case insert(APIToken, digest: TokenDigest)
    /// Stores when an API token was used.
    case noteUse(APITokenID, at: Timestamp)
    /// Removes an API token.
    case remove(APITokenID)
}

/// A change of the stored rows of e-mail addresses and of mails about accounts.
public enum EmailRowChange: Sendable {
    /// Sets an account's e-mail address, or removes the row if nothing is left of it.
    case set(AccountEmail)
    /// Removes unsent mails of a kind about an account.
    case takeBackMails(Mail.Kind, of: AccountID)
    /// Removes unsent mails with links that set an account's password.
    case takeBackResets(of: AccountID)
    /// Removes an account's unconfirmed address with its link.
    case dropPending(of: AccountID)
    /// Stores a wish for a reset, replacing an earlier one for the login.
    case setResetWish(ResetWish)
    /// Removes a wish for a reset that was answered.
    case removeResetWish(ResetWish)
}

/// A change of the stored rows of identities.
public enum IdentityRowChange: Sendable {
    /// Stores that an assertion was used, for as long as it could be accepted again.
    case useAssertion(Assertion)
    /// Stores that a provider's notice was used, for as long as it could be accepted again.
    case useNotice(TokenDigest, until: Timestamp)
    /// Links an identity with an account.
    case insert(LinkedIdentity)
    /// Removes the link of an identity.
    case remove(LinkedIdentity)
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
