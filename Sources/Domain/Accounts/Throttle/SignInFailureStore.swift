/// The store of failure counts, which any number of servers share.
public protocol SignInFailureStore: Sendable {
    /// Returns the rows of some keys, including expired ones.
    func signInFailures(_ keys: [SignInFailureKey]) async throws -> [SignInFailureRow]

    /// Counts failures in one transaction. If there would be more than `most` rows, removes those that expire first.
    func count(_ reports: [SignInFailureReport], keeping most: Int) async throws

    /// Removes the row of a key.
    func forgetSignInFailures(_ key: SignInFailureKey) async throws

    /// Removes the rows of a subject from all sources.
    func forgetSignInFailures(ofSubject subject: [UInt8]) async throws
}
