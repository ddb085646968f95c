extension UnsafeRawBufferPointer {
    /// Whether a word stands at a place: compared eight bytes at a time, the last ones first, because that is where
    /// identifiers made at one time differ.
    @inline(__always)
    func holds(_ word: UnsafeRawBufferPointer, at place: Int) -> Bool {
        guard place >= 0, count - place >= word.count else { return false }
        // Both hold `word.count` bytes from here on, as was just seen: every load is one within bounds.
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
