/// Steps of a JSON Pointer (RFC 6901).
public enum JSONPointer {
    /// Returns one reference token with its leading slash and with `~` and `/` escaped.
    public static func step(_ name: String) -> String {
        guard name.contains(where: { $0 == "~" || $0 == "/" }) else { return "/" + name }
        return "/"
            + name.reduce(into: "") { text, character in
                switch character {
                case "~": text += "~0"
                case "/": text += "~1"
                default: text.append(character)
                }
            }
    }

    /// Returns an array index with its leading slash.
    public static func step(_ index: Int) -> String { "/\(index)" }
}
