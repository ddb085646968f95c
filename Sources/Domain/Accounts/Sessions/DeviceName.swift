import JSON
import Messages

/// What a person recognises a device by: the name that its client gave, or what its `User-Agent` says it is.
///
/// ```swift
/// DeviceName(client: "Mozilla/5.0 (Windows NT 10.0; …) … Firefox/140.0")?.text(in: .english)   // Firefox on Windows
/// ```
struct DeviceName: Sendable, Equatable {
    /// The browser or other program.
    let program: String
    /// The operating system; `nil` when the client says nothing of it.
    let system: String?

    /// Reads a `User-Agent`; `nil` when it names nothing.
    init?(client: String) {
        system = Self.systems.first { client.contains($0.mark) }?.name
        if let browser = Self.browsers.first(where: { client.contains($0.mark) }) {
            program = browser.name
        } else {
            let product = client.prefix { $0 != "/" && $0 != " " && $0 != "(" }
            guard !product.isEmpty else { return nil }
            program = String(product.prefix(60))
        }
    }

    /// The name in words.
    func text(in language: Language) -> String {
        guard let system else { return program }
        let words = LocalizedText("{program} on {system}", fr: "{program} sur {system}", zh: "{system} 上的 {program}")
        return words.filled(language, ["program": .string(program), "system": .string(system)])
    }

    /// Marks of browsers; those that imitate another one stand before it.
    private static let browsers: [(mark: String, name: String)] = [
        ("Edg/", "Edge"), ("EdgA/", "Edge"), ("EdgiOS/", "Edge"), ("OPR/", "Opera"), ("Vivaldi/", "Vivaldi"),
        ("SamsungBrowser/", "Samsung Internet"), ("FxiOS/", "Firefox"), ("Firefox/", "Firefox"), ("CriOS/", "Chrome"),
        ("HeadlessChrome/", "Chrome"), ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
    ]

    private static let systems: [(mark: String, name: String)] = [
        ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
        ("Macintosh", "macOS"), ("Linux", "Linux"),
    ]
}
