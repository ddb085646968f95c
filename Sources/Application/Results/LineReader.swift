/// A reader of text, line by line, without blank lines.
struct LineReader {
    private let bytes: [UInt8]
    private let longest: Int
    private var place = 0
    private var number = 0

    /// Creates a reader; a line of more than `longest` bytes is returned without its text.
    init(_ bytes: [UInt8], longest: Int) {
        self.bytes = bytes
        self.longest = longest
    }

    /// Returns the next line that is not blank, with its number from 1; the bytes are `nil` for a line that is too
    /// long.
    mutating func next() -> (number: Int, bytes: [UInt8]?)? {
        while place < bytes.count {
            let start = place
            var isBlank = true
            while place < bytes.count, bytes[place] != 0x0A {
                if bytes[place] > 0x20 { isBlank = false }
                place += 1
            }
            let end = place
            place += 1
            number += 1
            if !isBlank { return (number, end - start <= longest ? Array(bytes[start..<end]) : nil) }
        }
        return nil
    }
}
