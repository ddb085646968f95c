extension UnsafeRawBufferPointer {
    /// Returns whether a word is at a position. Compares eight bytes at a time, the last ones first, because
    /// identifiers generated at the same time differ there.
    @inline(__always)
    func holds(_ word: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard place >= 0, count - place >= word.count else { return false }
        // Both have `word.count` bytes from here on, as just checked, so every load is within bounds.
        var rest = word.count
        while rest >= 8 {
            rest -= 8
            let ours = loadUnaligned(fromByteOffset: place + rest, as: UInt64.self)
            if ours != word.loadUnaligned(fromByteOffset: rest, as: UInt64.self) { return false }
        }
        while rest > 0 {
            rest -= 1
            if self[place + rest] != word[rest] { return false }
        }
        return true
    }
}
