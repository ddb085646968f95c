/// Where a request comes from, as far as sign-ins want to know.
public struct Client: Sendable, Equatable {
    /// The peer's address.
    public let source: String
    /// Whether failed sign-ins of the address are limited.
    public let isLimited: Bool
    /// What the client says of itself (`User-Agent`).
    public let description: String
    /// What the client calls the device; `nil` when it gave no name.
    public let device: String?

    /// A client; of its description the first 200 bytes are kept.
    public init(source: String, isLimited: Bool = true, description: String = "", device: String? = nil) {
        self.source = source
        self.isLimited = isLimited
        self.description = String(
            decoding: description.utf8.prefix(200).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        self.device = device
    }

    /// The same client with the name that it gives its device.
    public func named(_ device: String?) -> Client {
        Client(source: source, isLimited: isLimited, description: description, device: device)
    }
}
