/// Makes links that people follow from outside the web client: complete ones if the server knows its public address.
struct PublicLinks: Sendable {
    /// The public address, such as `https://grades.example.org`; `nil` if it is not configured.
    let address: String?

    /// Returns the complete link to a path of the web client; `nil` without a public address.
    func url(of path: String) -> String? { address.map { $0 + path } }
}
