/// The origin of a request, as far as sign-ins need it.
public struct Client: Sendable, Equatable {
    /// The peer's address; for IPv6 its /64.
    public let source: String
    /// The /48 of the peer, with its length; `nil` for IPv4. Some limits count for it as well, with a wider allowance.
    public let site: String?
    /// Whether failed sign-ins from the address are limited.
    public let isLimited: Bool
    /// The client's `User-Agent`, at most 200 bytes.
    public let description: String
    /// The name that the client gives its device; `nil` if it gave none.
    public let device: String?

    /// Creates a client; keeps the first 200 bytes of its description without control characters.
    public init(
        source: String, site: String? = nil, isLimited: Bool = true, description: String = "", device: String? = nil
    ) {
        self.source = source
        self.site = site
        self.isLimited = isLimited
        self.description = String(
            decoding: description.utf8.prefix(200).filter { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
        self.device = device
    }

    /// The widest network that stands for the client: its site, or its address.
    var network: String { site ?? source }

    /// Returns the same client with another device name.
    public func named(_ device: String?) -> Client {
        Client(source: source, site: site, isLimited: isLimited, description: description, device: device)
    }
}
