import Accounts
import Cryptography
import Shared

/// A cache of recently read sessions, so that frequent requests need no store access.
///
/// An entry is valid until its account changes, its session ends, or its last request must be stored again. It never
/// outlives a revocation on this node.
final class SessionCache: Sendable {
    private struct Entry: Sendable {
        let signedIn: SignedIn
        let until: Timestamp
    }

    private let entries: AccessCache<TokenDigest, Entry>

    init(news: AccessNews) { entries = AccessCache(capacity: 20_000, news: news) }

    /// The current moment, to take before a session is read.
    var moment: Int { entries.moment }

    func signedIn(_ token: TokenDigest, at now: Timestamp) -> SignedIn? {
        guard let entry = entries.value(token), now < entry.until else { return nil }
        return entry.signedIn
    }

    func keep(_ signedIn: SignedIn, for token: TokenDigest, until: Timestamp, readAt moment: Int) {
        entries.keep(
            Entry(signedIn: signedIn, until: until), for: token, restingOn: .account(signedIn.account), readAt: moment)
    }
}
