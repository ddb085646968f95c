/// A name that a sheet may have.
struct SheetName {
    /// The maximum number of UTF-16 units.
    static let longest = 31
    let text: String

    /// Makes a name from a text: replaces characters that a name must not have, and cuts one that is too long.
    init(_ text: String) {
        var name = ""
        for scalar in text.unicodeScalars {
            let isAllowed = !"[]:*?/\\".unicodeScalars.contains(scalar) && scalar.value >= 0x20
            let next = isAllowed ? String(scalar) : " "
            guard name.utf16.count + next.utf16.count <= Self.longest else { break }
            name += next
        }
        let isEdge = { (character: Character) in character.isWhitespace || character == "'" }
        let trimmed = name.drop(while: isEdge).reversed().drop(while: isEdge).reversed()
        self.text = trimmed.isEmpty ? "Sheet1" : String(trimmed)
    }
}
