private import CCurl

/// Hands over one message with libcurl, on the calling thread. The object lives on the stack of
/// ``perform(_:from:to:at:)`` while libcurl may call back.
final class SMTPTransfer {
    private let message: [UInt8]
    private var sent = 0

    private init(_ message: [UInt8]) { self.message = message }

    private static let milliseconds = 30_000
    private static let connectMilliseconds = 10_000

    static func perform(
        _ message: [UInt8], from sender: String, to recipient: String, at server: SMTPServer
    ) -> Result<Void, SMTPError> {
        run(at: server) { handle in
            let recipients = curl_slist_append(nil, "<\(recipient)>")
            defer { curl_slist_free_all(recipients) }
            let transfer = SMTPTransfer(message)
            return withExtendedLifetime(transfer) {
                let options = [
                    ccurl_set_text(handle, CURLOPT_MAIL_FROM, "<\(sender)>"),
                    ccurl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients),
                    ccurl_set_number(handle, CURLOPT_UPLOAD, 1),
                    ccurl_set_supplier(
                        handle, { SMTPTransfer.supply($0, $1, $2, $3) }, Unmanaged.passUnretained(transfer).toOpaque()),
                ]
                guard recipients != nil, options.allSatisfy({ $0 == CURLE_OK }) else { return missingOption }
                return transfer.result(of: curl_easy_perform(handle), handle)
            }
        }
    }

    /// Signs in and disconnects.
    static func greet(_ server: SMTPServer) -> Result<Void, SMTPError> {
        run(at: server) { handle in
            // Without a message, libcurl sends a command; any reply to it shows that the sign-in worked.
            let options = [
                ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, "NOOP"), ccurl_set_number(handle, CURLOPT_NOBODY, 1),
            ]
            guard options.allSatisfy({ $0 == CURLE_OK }) else { return missingOption }
            return SMTPTransfer([]).result(of: curl_easy_perform(handle), handle)
        }
    }

    private static let missingOption = Result<Void, SMTPError>.failure(.postponed("libcurl lacks an option"))

    private static func run(
        at server: SMTPServer, _ body: (UnsafeMutableRawPointer) -> Result<Void, SMTPError>
    ) -> Result<Void, SMTPError> {
        guard Transfer.isReady, let handle = curl_easy_init() else {
            return .failure(.postponed("libcurl does not start"))
        }
        defer { curl_easy_cleanup(handle) }
        var options = [
            ccurl_set_text(handle, CURLOPT_URL, "\(server.url)/\(server.greeting)"),
            ccurl_set_text(handle, CURLOPT_PROTOCOLS_STR, "smtp,smtps"),
            ccurl_set_text(handle, CURLOPT_PROXY, ""),
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds),
            ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, connectMilliseconds),
            ccurl_set_number(handle, CURLOPT_USE_SSL, server.requiresTLS ? ccurl_tls_required : ccurl_tls_unused),
            ccurl_set_number(handle, CURLOPT_SSLVERSION, ccurl_tls_oldest),
        ]
        if let (user, password) = server.credentials {
            options.append(ccurl_set_text(handle, CURLOPT_USERNAME, user))
            options.append(ccurl_set_text(handle, CURLOPT_PASSWORD, password))
        }
        if let authorities = server.authorities {
            options.append(ccurl_set_text(handle, CURLOPT_CAINFO, authorities))
        }
        return options.allSatisfy { $0 == CURLE_OK } ? body(handle) : missingOption
    }

    /// Returns the outcome. A refusal is final only if it answers the sender, the recipient or the message: a server
    /// that refuses connections or passwords today may accept them tomorrow.
    private func result(of code: CURLcode, _ handle: UnsafeMutableRawPointer) -> Result<Void, SMTPError> {
        if code == CURLE_OK { return .success(()) }
        var reply = 0
        ccurl_status(handle, &reply)
        let isAboutMessage = code == CURLE_SEND_ERROR || code == CURLE_WEIRD_SERVER_REPLY && sent > 0
        // 530 demands a password or TLS.
        if isAboutMessage, (500...599).contains(reply), reply != 530 { return .failure(.refused(reply)) }
        let words = String(cString: curl_easy_strerror(code))
        return .failure(.postponed((400...599).contains(reply) ? "\(words) (\(reply))" : words))
    }

    /// Gives libcurl the next bytes of the message; libcurl has room for `size` times `count` bytes.
    private static func supply(
        _ room: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let room, let context else { return 0 }
        let transfer = Unmanaged<SMTPTransfer>.fromOpaque(context).takeUnretainedValue()
        // `size` is always 1.
        let piece = transfer.message.dropFirst(transfer.sent).prefix(count)
        UnsafeMutableRawBufferPointer(start: room, count: count).copyBytes(from: piece)
        transfer.sent += piece.count
        return piece.count
    }
}
