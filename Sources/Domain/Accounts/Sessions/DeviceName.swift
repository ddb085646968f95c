import JSON
import Messages

/// The name by which a person recognises a device, derived from its `User-Agent`.
///
/// ```swift
/// DeviceName(client: "Mozilla/5.0 (Windows NT 10.0; …) … Firefox/140.0")?.text(in: .english)   // Firefox on Windows
/// ```
struct DeviceName: Sendable, Equatable {
    /// The browser or other program.
    let program: String
    /// The operating system; `nil` if the client does not name it.
    let system: String?

    /// Reads a `User-Agent`; `nil` if it does not name a program.
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

    /// Returns the name in a language.
    func text(in language: Language) -> String {
        guard let system else { return program }
        let words = LocalizedText("{program} on {system}", fr: "{program} sur {system}", zh: "{system} 上的 {program}")
        return words.filled(language, ["program": .string(program), "system": .string(system)])
    }

    /// The marks of browsers; those that imitate another browser precede it.
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
