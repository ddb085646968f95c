/// Makes links that people follow from outside: whole ones where the server was told its public address.
struct PublicLinks: Sendable {
    /// Such as `https://grades.example.org`; `nil` where only the reader knows how the server was reached.
    let address: String?

    /// The whole link to a path of the web client.
    func url(of path: String) -> String? { address.map { $0 + path } }
}
