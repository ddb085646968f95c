// ASCII text, appended without creating a `String`.

extension [UInt8] {
    /// Appends the bytes of a text.
    mutating func append(_ text: StaticString) { text.withUTF8Buffer { append(contentsOf: $0) } }

    /// Appends the digits of a number; 0 for a negative one.
    public mutating func append(decimal number: Int) {
        if number > 9 { append(decimal: number / 10) }
        append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: Swift.max(number, 0) % 10))
    }
}
