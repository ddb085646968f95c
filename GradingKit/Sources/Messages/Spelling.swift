/// Suggestions for misspelt names.
public enum Spelling {
    /// The greatest length of a name that is compared, in bytes, to bound the cost.
    private static let longest = 40

    /// Returns the known name with the smallest difference: at most one letter in four, and at most two; `nil` if none
    /// is that close.
    ///
    /// A letter that is missing, added, replaced or swapped with its neighbour counts as one difference; case does not
    /// count.
    public static func nearest(to name: String, among known: [String]) -> String? {
        let letters = Array(name.utf8.prefix(longest + 1))
        guard (2...longest).contains(letters.count) else { return nil }
        let limit = min(2, max(1, letters.count / 4))
        var best: (name: String, distance: Int)?
        for candidate in known {
            let other = Array(candidate.utf8.prefix(longest + 1))
            guard abs(other.count - letters.count) <= limit else { continue }
            let distance = distance(letters.map(lower), other.map(lower))
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    /// Returns the optimal string alignment distance of two short texts.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (before, above) = ([Int](), Array(0...right.count))
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var least = min(above[column + 1] + 1, current[column] + 1, above[column] + (isSame ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                current.append(least)
            }
            (before, above) = (above, current)
        }
        return above.last ?? 0
    }
}
