private import Cryptography

/// A term of a search.
public struct SearchTerm: Sendable, Hashable {
    /// The term in the form in which stored terms are.
    public let text: String
    /// Whether only the same term matches; otherwise every term that begins with it does.
    public let isWhole: Bool

    /// Creates a term.
    public init(_ text: String, isWhole: Bool = false) {
        self.text = text
        self.isWhole = isWhole
    }

    /// Returns whether a stored term matches.
    public func matches(_ term: String) -> Bool { isWhole ? term == text : term.utf8.starts(with: text.utf8) }
}

/// The tokeniser of the search, the same for every store.
///
/// A text is brought into its compatibility form, lower case and without diacritics, and divided into words. Chinese,
/// which is written without spaces, gives its single characters and its pairs of neighbours. So “genie” finds “Génie”,
/// and “数” finds “高等数学”.
public enum SearchText {
    /// The greatest number of code points of a text that count.
    public static let longest = 512
    /// The greatest number of terms of a text.
    public static let mostTerms = 64
    /// The greatest number of terms of a search.
    public static let mostAsked = 8
    /// The greatest number of code points of a term, and of a key to sort by.
    public static let longestTerm = 32

    /// Returns the different terms under which a text is found, at most ``mostTerms``.
    public static func terms(of text: String) -> [String] {
        var (seen, terms) = (Set<String>(), [String]())
        for term in pieces(of: text).lazy.flatMap(\.stored) where seen.insert(term).inserted {
            terms.append(term)
            if terms.count == mostTerms { break }
        }
        return terms
    }

    /// Returns the terms that a search looks for, at most ``mostAsked``: all of them have to match. A term that another one
    /// makes certain is left out.
    public static func asked(_ text: String) -> [SearchTerm] {
        var asked: [SearchTerm] = []
        for term in pieces(of: text).lazy.flatMap(\.asked) {
            if asked.contains(where: { term.matches($0.text) }) { continue }
            asked.removeAll { $0.matches(term.text) && !$0.isWhole }
            asked.append(term)
            if asked.count == mostAsked { break }
        }
        return asked
    }

    /// Returns the form of a title by which results are sorted.
    public static func sortKey(of title: String) -> String {
        String(String.UnicodeScalarView(folded(title).unicodeScalars.prefix(longestTerm)))
    }

    // MARK: Forms

    /// Letters that stand for others and that no normalisation takes apart.
    private static let letters: [Unicode.Scalar: String] = [
        "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ß": "ss", "þ": "th",
        "ς": "σ",
    ]

    private static func folded(_ text: String) -> String {
        let lower = String(String.UnicodeScalarView(text.unicodeScalars.prefix(longest))).lowercased()
        if lower.utf8.allSatisfy({ $0 < 0x80 }) { return lower }
        var folded = String.UnicodeScalarView()
        // The compatibility form may bring capitals back, as of a letter in a circle.
        for scalar in lower.decomposedForm.lowercased().decomposedForm.unicodeScalars where !scalar.isDiacritic {
            if let plain = letters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        // What is written in several code points of its own, such as a syllable of Korean, becomes one again.
        return String(folded).compatibilityForm
    }

    /// A word, or a run of Chinese characters.
    private struct Piece {
        var text: [Unicode.Scalar]
        let isIdeographic: Bool

        var stored: [String] {
            guard isIdeographic else { return [word] }
            return text.map { String($0) } + pairs
        }

        var asked: [SearchTerm] {
            guard isIdeographic else { return [SearchTerm(word)] }
            return text.count == 1
                ? [SearchTerm(String(text[0]), isWhole: true)] : pairs.map { SearchTerm($0, isWhole: true) }
        }

        private var word: String { String(String.UnicodeScalarView(text.prefix(longestTerm))) }

        private var pairs: [String] {
            zip(text, text.dropFirst()).map { String(String.UnicodeScalarView([$0, $1])) }
        }
    }

    private static func pieces(of text: String) -> [Piece] {
        var pieces: [Piece] = []
        var isInside = false
        for scalar in folded(text).unicodeScalars {
            guard scalar.isPartOfWord else {
                isInside = false
                continue
            }
            let isIdeographic = scalar.properties.isIdeographic
            if isInside, let last = pieces.indices.last, pieces[last].isIdeographic == isIdeographic {
                pieces[last].text.append(scalar)
            } else {
                pieces.append(Piece(text: [scalar], isIdeographic: isIdeographic))
            }
            isInside = true
        }
        return pieces
    }
}

extension Unicode.Scalar {
    /// Whether it only marks the letter before it. The signs of other scripts that belong to a word, such as vowels, are
    /// not marks.
    fileprivate var isDiacritic: Bool {
        switch value {
        case 0x300...0x36F, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }

    fileprivate var isPartOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}
