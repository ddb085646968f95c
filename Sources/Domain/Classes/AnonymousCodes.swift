import Cryptography
public import Shared

/// The codes under which the work of a line is marked while markers do not know the students.
///
/// A code is an HMAC of the class's secret over the line and the place of a student in the order of enrolment. There are always
/// at least ten codes more than students, and the list grows by twenty: a code is in the list before its student joins, and
/// stays when the student leaves. Only a comparison of lists from before and after many students joined tells which codes belong
/// to later ones.
public struct AnonymousCodes: Sendable {
    /// Bytes of a class's secret.
    public static let secretLength = 32
    /// The characters of a code: digits and letters that are not mistaken for each other. Source: Crockford's Base32.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// Characters of a code, without the hyphen in its middle.
    private static let length = 10
    /// By how many codes the list grows.
    private static let step = 20
    /// At least how many codes belong to no student yet.
    private static let spare = 10

    /// The codes by the places of students in the order of enrolment, those who have left included.
    public let list: [String]

    /// The codes of a line in a class that ever had so many students.
    public init(secret: [UInt8], line: LineID, students: Int) {
        let wanted = min(max(0, students), ClassLimits.students) + Self.spare
        let count = (wanted + Self.step - 1) / Self.step * Self.step
        let key = HMACSHA256(key: secret)
        var (list, used): ([String], Set<String>) = ([], [])
        for place in 0..<count {
            // Of two places with the same code the later one gets another.
            var (code, turn) = (Self.code(key, "\(line.text)/\(place)"), 0)
            while !used.insert(code).inserted {
                turn += 1
                code = Self.code(key, "\(line.text)/\(place)/\(turn)")
            }
            list.append(code)
        }
        self.list = list
    }

    private static func code(_ key: HMACSHA256, _ name: String) -> String {
        // Each byte gives one character: 256 is a multiple of 32.
        let characters = key.authenticate(name.utf8).prefix(length).map { alphabet[Int($0 % 32)] }
        let middle = length / 2
        return String(decoding: characters[..<middle] + [UInt8(ascii: "-")] + characters[middle...], as: UTF8.self)
    }

    /// The place of a code; `nil` for a code that the line does not have.
    public func place(of code: String) -> Int? { list.firstIndex(of: code) }
}

/// What was entered under a code.
public struct SealedCell: Sendable, Equatable {
    /// The code.
    public let code: String
    /// What stands there.
    public var cell: ClassCell

    /// A cell under a code.
    public init(_ code: String, _ cell: ClassCell) {
        self.code = code
        self.cell = cell
    }
}

/// A line that is marked anonymously, as it stands at one moment.
public struct SealedLine: Sendable, Equatable {
    /// The class's secret.
    public let secret: [UInt8]
    /// How many students the class ever had.
    public let students: Int
    /// What was entered, in the order of codes, which says nothing of students.
    public let cells: [SealedCell]

    /// A line under seal.
    public init(secret: [UInt8], students: Int, cells: [SealedCell]) {
        self.secret = secret
        self.students = students
        self.cells = cells
    }

    /// The codes of a line.
    public func codes(of line: LineID) -> AnonymousCodes {
        AnonymousCodes(secret: secret, line: line, students: students)
    }
}
