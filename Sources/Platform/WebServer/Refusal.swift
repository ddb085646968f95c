public import HTTP

/// The reason why the server itself refuses a connection or request, before or without asking the application.
public enum Refusal: Hashable, Sendable {
    /// The request is malformed or too large.
    case request(RequestFault)
    /// The request took too long to arrive.
    case timeout
    /// The client, or all clients together, send more at once than the server holds.
    case tooMuchAtOnce
    /// The server has as many connections as it takes.
    case tooManyConnections
    /// The address has as many connections as it may.
    case tooManyConnectionsOfAddress

    /// The status of the answer.
    public var status: Status {
        switch self {
        case .request(let fault): fault.status
        case .timeout: .requestTimeout
        case .tooMuchAtOnce, .tooManyConnections: .serviceUnavailable
        case .tooManyConnectionsOfAddress: .tooManyRequests
        }
    }

    /// The reason in English.
    public var detail: String {
        switch self {
        case .request(let fault): fault.description
        case .timeout: "The request took too long to arrive."
        case .tooMuchAtOnce: "More is being sent to the server at once than it keeps."
        case .tooManyConnections: "The server has as many connections as it takes."
        case .tooManyConnectionsOfAddress: "There are too many connections from this address."
        }
    }
}
