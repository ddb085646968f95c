// Comparisons of bytes with ASCII text, without creating strings.

extension Span where Element == UInt8 {
    /// The bytes as text.
    var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// The bytes, copied.
    var array: [UInt8] { withUnsafeBufferPointer { Array($0) } }

    /// Returns whether the first bytes are exactly `word`.
    func starts(with word: StaticString) -> Bool {
        count >= word.utf8CodeUnitCount
            && word.withUTF8Buffer { word in
                for index in word.indices where self[index] != word[index] { return false }
                return true
            }
    }

    /// Returns whether the first `end` bytes spell `word` in any case; `word` itself must be in lower case.
    func spells(_ word: StaticString, upTo end: Int) -> Bool {
        word.withUTF8Buffer { word in
            guard word.count == end, count >= end else { return false }
            for index in word.indices where Bytes.lowercased(self[index]) != word[index] { return false }
            return true
        }
    }
}

extension ArraySlice<UInt8> {
    /// Returns whether the bytes spell `word` in any case; `word` itself must be in lower case.
    func spell(_ word: StaticString) -> Bool { span.spells(word, upTo: count) }
}
