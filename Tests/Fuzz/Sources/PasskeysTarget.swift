@testable import Accounts
import Cryptography

private let party = RelyingParty.loopback

/// What authenticators send: any bytes are CBOR, authenticator data, a key or none of it; what is read is bounded by what
/// came, and nothing is a credential that is not for this server.
@Sendable func fuzzPasskeys(_ bytes: [UInt8]) {
    if let (_, rest) = CBOR.first(of: bytes[...]) { promise(rest.count < bytes.count, "a value of no bytes") }
    if let data = AuthenticatorData(bytes) {
        promise(data.party == Array(bytes.prefix(32)), "another party")
        if let credential = data.credential {
            promise(credential.id.count + credential.key.count < bytes.count, "more than came")
        }
    }
    _ = COSEKey(bytes)
    _ = ClientData(bytes, as: .get)
    guard let found = Passkeys.credential(bytes, for: party) else { return }
    promise(COSEKey(found.credential.key) != nil, "a credential without a key")
}
