public import HTTP
public import Transport

/// The application's side of the server: what answers requests. Called on the event loops, so it must not block.
public protocol Responder: Sendable {
    /// How many bytes of body this request may have. Asked once its head is there, if a body follows.
    func bodyLimit(for head: RequestHead) -> Int
    /// Answers a whole request, or says how it will be answered.
    func respond(to request: Request, on loop: EventLoop) -> Reply
    /// Whom the memory for a request is charged to, or for its response. Asked rarely: once such memory is kept for long.
    func payer(for head: RequestHead, from peer: IPAddress) -> Payer
    /// The words for a refusal; its status is the refusal's, and the connection closes after it.
    func response(to refusal: Refusal) -> Response
}

extension Responder {
    /// A mebibyte for every request.
    public func bodyLimit(for head: RequestHead) -> Int { 1024 * 1024 }

    /// The address at the other end.
    public func payer(for head: RequestHead, from peer: IPAddress) -> Payer { .address(peer.network) }

    /// One line of text.
    public func response(to refusal: Refusal) -> Response {
        Response(refusal.status, text: refusal.detail + "\n")
    }
}
