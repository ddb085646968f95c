/// Reads a text line by line, without the empty ones.
struct LineReader {
    private let bytes: [UInt8]
    private let longest: Int
    private var place = 0
    private var number = 0

    /// Lines of more than `longest` bytes are listed without their text.
    init(_ bytes: [UInt8], longest: Int) {
        self.bytes = bytes
        self.longest = longest
    }

    /// The next line that says something, with its number from 1; `nil` bytes for one that is too long.
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
