import Cryptography
import Shared
private import Synchronization

/// Sessions looked up lately, so that a request on a hot path needs no store.
///
/// An entry holds as long as the store's access version it was read under is the current one, and until its
/// session would end or its last request must be noted: it can never outlive a revocation.
final class SessionCache: Sendable {
    private struct Entry {
        let signedIn: SignedIn
        let accessVersion: Int
        let until: Timestamp
    }

    private static let capacity = 20_000
    private let entries = Mutex<[TokenDigest: Entry]>([:])

    func signedIn(_ token: TokenDigest, accessVersion: Int, at now: Timestamp) -> SignedIn? {
        entries.withLock { entries in
            guard let entry = entries[token], entry.accessVersion == accessVersion, now < entry.until else {
                return nil
            }
            return entry.signedIn
        }
    }

    func keep(_ signedIn: SignedIn, for token: TokenDigest, accessVersion: Int, until: Timestamp) {
        entries.withLock { entries in
            if entries.count >= SessionCache.capacity {
                entries = entries.filter { $0.value.accessVersion == accessVersion }
                if entries.count > SessionCache.capacity / 2 { entries = [:] }
            }
            entries[token] = Entry(signedIn: signedIn, accessVersion: accessVersion, until: until)
        }
    }
}
