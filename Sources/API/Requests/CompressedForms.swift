import Compression
import HTTP
import Synchronization

/// The gzip forms of documents that many clients ask for, such as descriptions of schemes.
///
/// For documents in which nothing is secret: the length of a compressed answer tells of what is in it.
final class CompressedForms: Sendable {
    /// The longest document that is compressed, in bytes: an event loop compresses it, and must not be held up.
    private static let longest = 64 << 10
    private static let capacity = 32

    /// By documents; `nil` for those that would be no shorter.
    private let kept = Mutex<[[UInt8]: [UInt8]?]>([:])

    /// Returns a document in JSON, compressed where the client takes that.
    func json(_ document: [UInt8], acceptsGZip: Bool) -> Response {
        let form = acceptsGZip ? form(of: document) : nil
        var response = Response.json(bytes: form ?? document)
        if form != nil { response.headers.set("Content-Encoding", "gzip") }
        response.headers.set("Vary", "Accept-Encoding")
        return response
    }

    private func form(of document: [UInt8]) -> [UInt8]? {
        guard document.count <= Self.longest else { return nil }
        if let known = kept.withLock({ $0[document] }) { return known }
        let form = GZip.compress(document)
        kept.withLock {
            // Documents change rarely; when they have, the former ones make room.
            if $0.count >= Self.capacity { $0.removeAll() }
            $0[document] = .some(form)
        }
        return form
    }
}
