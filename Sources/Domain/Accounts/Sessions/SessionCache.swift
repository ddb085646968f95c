import Cryptography
import Shared

/// Sessions looked up lately, so that a request on a hot path needs no store.
///
/// An entry holds until something is heard of its account, and until its session would end or its last request must be
/// noted: it can never outlive a revocation on this node.
final class SessionCache: Sendable {
    private struct Entry: Sendable {
        let signedIn: SignedIn
        let until: Timestamp
    }

    private let entries: AccessCache<TokenDigest, Entry>

    init(news: AccessNews) { entries = AccessCache(capacity: 20_000, news: news) }

    /// The moment before a session is read.
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
