public import HTTP
public import Transport

/// The application's side of the server, which answers requests. Called on the event loops, so it must not block.
public protocol Responder: Sendable {
    /// Returns how many bytes of body a request may have. Called once its head is complete, if a body follows.
    func bodyLimit(for head: RequestHead) -> Int
    /// Answers a whole request, or returns how it will be answered.
    func respond(to request: Request, on loop: EventLoop) -> Reply
    /// Returns the payer for the memory of a request or its response. Called rarely: once such memory is held for long.
    func payer(for head: RequestHead, from peer: IPAddress) -> Payer
    /// Returns the answer to a refusal. It gets the refusal's status, and the connection closes after it.
    func response(to refusal: Refusal) -> Response
}

extension Responder {
    /// Returns a mebibyte for every request.
    public func bodyLimit(for head: RequestHead) -> Int { 1024 * 1024 }

    /// Returns the address at the other end.
    public func payer(for head: RequestHead, from peer: IPAddress) -> Payer { .address(peer.network) }

    /// Returns one line of text.
    public func response(to refusal: Refusal) -> Response {
        Response(refusal.status, text: refusal.detail + "\n")
    }
}
