private import CCurl
private import Glibc
import HTTP
import Synchronization

/// One request with libcurl, on the calling thread. The object lives on the stack of ``perform(_:under:)`` while
/// libcurl may call back.
final class Transfer {
    private let policy: OutboundPolicy
    private let watch: TransferWatch
    private var body: [UInt8] = []
    private var refusal: OutboundError?
    private var isCut = false

    private init(_ policy: OutboundPolicy, _ watch: TransferWatch) {
        self.policy = policy
        self.watch = watch
    }

    static let isReady = ccurl_begin() == CURLE_OK

    static func perform(
        _ request: OutboundRequest, under policy: OutboundPolicy, watchedBy watch: TransferWatch = TransferWatch()
    ) -> Result<OutboundResponse, OutboundError> {
        guard isReady, let handle = curl_easy_init() else { return .failure(.failed("libcurl does not start")) }
        defer { curl_easy_cleanup(handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(headers) }
        // `Expect` would delay larger bodies by a second.
        for (name, value) in request.headers + [("Expect", ""), ("User-Agent", "Gradecast")] {
            headers = curl_slist_append(headers, value.isEmpty ? "\(name):" : "\(name): \(value)")
        }
        let words = Words()
        let transfer = Transfer(policy, watch)
        return withExtendedLifetime((transfer, words)) {
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            let options = [
                ccurl_set_text(handle, CURLOPT_URL, request.url),
                ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
                // A proxy from the environment is not used: it could connect to addresses that we refuse.
                ccurl_set_text(handle, CURLOPT_PROXY, ""),
                ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
                ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
                ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, policy.milliseconds),
                ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, policy.milliseconds),
                ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers),
                ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, words.place),
                ccurl_set_receiver(handle, { Transfer.receive($0, $1, $2, $3) }, context),
                ccurl_set_opener(handle, { Transfer.open($0, $1, $2) }, context),
                ccurl_set_watcher(handle, { context, _, _, _, _ in Transfer.mustEnd(context) ? 1 : 0 }, context),
                request.body.map { ccurl_set_body(handle, $0, $0.count) } ?? CURLE_OK,
            ]
            guard options.allSatisfy({ $0 == CURLE_OK }) else { return .failure(.failed("libcurl lacks an option")) }
            return transfer.result(of: curl_easy_perform(handle), handle, words)
        }
    }

    private func result(
        of code: CURLcode, _ handle: UnsafeMutableRawPointer, _ words: Words
    ) -> Result<OutboundResponse, OutboundError> {
        var status = 0
        ccurl_status(handle, &status)
        // Where an answer may be cut, its status is what counts, even if the rest comes too late.
        let isLate = code == CURLE_OPERATION_TIMEDOUT && policy.cutsAnswers && status >= 200
        if code == CURLE_OK || isCut || isLate {
            var wait: Int64 = 0
            ccurl_retry_after(handle, &wait)
            return .success(
                OutboundResponse(status: status, body: body, retryAfter: wait > 0 ? Int(clamping: wait) : nil))
        }
        if code == CURLE_ABORTED_BY_CALLBACK { return .failure(refusal ?? .cancelled) }
        if let refusal { return .failure(refusal) }
        switch code {
        case CURLE_OPERATION_TIMEDOUT: return .failure(.timedOut)
        case CURLE_COULDNT_RESOLVE_HOST: return .failure(.nameUnknown)
        case CURLE_COULDNT_CONNECT: return .failure(.unreachable)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            return .failure(.untrusted(words.text(of: code)))
        default: return .failure(.failed(words.text(of: code)))
        }
    }

    /// The buffer in which libcurl says more about an error than its code does.
    private final class Words {
        let place: UnsafeMutablePointer<CChar>

        init() {
            place = .allocate(capacity: Int(CURL_ERROR_SIZE))
            place.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        }

        deinit { place.deallocate() }

        func text(of code: CURLcode) -> String {
            // libcurl ends its text with a zero, within the promised size.
            let text = String(cString: place)
            return text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        }
    }

    /// Stores the bytes received, up to the limit. Returning any number but `count` ends the transfer.
    private static func receive(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let bytes, let context else { return 0 }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // `size` is always 1.
        let room = transfer.policy.bytes - transfer.body.count
        guard count <= room else {
            if transfer.policy.cutsAnswers {
                transfer.body += UnsafeRawBufferPointer(start: bytes, count: room)
                transfer.isCut = true
            } else {
                transfer.refusal = .tooLarge
            }
            return 0
        }
        // libcurl owns `count` bytes there for the duration of this call.
        transfer.body += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
    }

    private static func mustEnd(_ context: UnsafeMutableRawPointer?) -> Bool {
        guard let context else { return true }
        return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().watch.hasEnded
    }

    /// Opens a socket to an address if it is allowed. libcurl then connects to this very address, so a name cannot
    /// resolve to another one in between.
    private static func open(
        _ context: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t {
        guard let context, let address else { return CURL_SOCKET_BAD }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        guard let host = host(of: address), transfer.policy.allows(host) else {
            transfer.refusal = .networkRefused
            return CURL_SOCKET_BAD
        }
        return socket(
            address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }

    private static func host(of address: UnsafeMutablePointer<curl_sockaddr>) -> IPAddress? {
        var count: Int32 = 0
        let bytes = ccurl_host(address, &count)
        return IPAddress(bytes: Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }
}

/// Says of a transfer whether anyone still waits for it.
final class TransferWatch: Sendable {
    private let isOver = Atomic(false)

    var hasEnded: Bool { isOver.load(ordering: .relaxed) }

    func end() { isOver.store(true, ordering: .relaxed) }
}
