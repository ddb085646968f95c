import GradingKit

/// The body of an import, not read yet, with the form in which its rows are written.
public struct ResultBody: Sendable {
    /// The most rows of one import.
    static let mostRows = 20_000
    /// The longest row, in bytes.
    static let longestRow = 65_536

    /// How a CSV file is written.
    public struct Dialect: Sendable {
        let delimiter: UInt8
        let hasDecimalComma: Bool
        /// The columns that are numbers.
        var numbers: Set<String> = []

        /// A way of writing CSV.
        ///
        /// - Parameters:
        ///   - delimiter: what separates the cells.
        ///   - hasDecimalComma: whether 12,5 is twelve and a half.
        public init(delimiter: UInt8 = UInt8(ascii: ","), hasDecimalComma: Bool = false) {
            self.delimiter = delimiter
            self.hasDecimalComma = hasDecimalComma
        }
    }

    /// The form in which the rows are written.
    public enum Form: Sendable {
        /// JSON, one row a line; empty lines are left out.
        case lines
        /// CSV whose first row names the columns: `record` or `student`, `entry` or `path`, `kind`, `status`, `hidden`;
        /// every other column is a field. An empty cell says nothing.
        case csv(Dialect)
    }

    let bytes: [UInt8]
    let form: Form

    /// A body that is not read yet.
    public init(bytes: [UInt8], form: Form) {
        self.bytes = bytes
        self.form = form
    }

    /// The same body, whose columns of these names hold numbers.
    func naming(numbers: Set<String>) -> ResultBody {
        guard case .csv(var dialect) = form else { return self }
        dialect.numbers = numbers
        return ResultBody(bytes: bytes, form: .csv(dialect))
    }

    /// How its rows are to be read and entered, as JSON text; `hidden` says whether rows that do not say so are hidden.
    func reading(hidden: Bool?) -> [UInt8] {
        var reading: JSONObject = ["hidden": hidden.map { .bool($0) } ?? .null]
        if case .csv(let dialect) = form {
            reading["csv"] = [
                "delimiter": .number(String(dialect.delimiter)), "decimalComma": .bool(dialect.hasDecimalComma),
                "numbers": .array(dialect.numbers.sorted().map { .string($0) }),
            ]
        }
        return JSON.object(reading).bytes
    }

    /// The body of these bytes, to be read and entered as such a text says; `nil` for another text.
    static func read(_ bytes: [UInt8], as reading: [UInt8]) -> (body: ResultBody, hidden: Bool?)? {
        guard let reading = try? JSON.parse(reading), reading.object != nil else { return nil }
        let hidden = reading["hidden"]?.bool
        guard let csv = reading["csv"] else { return (ResultBody(bytes: bytes, form: .lines), hidden) }
        guard let delimiter = csv["delimiter"]?.integer.flatMap({ UInt8(exactly: $0) }),
            let hasDecimalComma = csv["decimalComma"]?.bool, let numbers = csv["numbers"]?.array
        else { return nil }
        var dialect = Dialect(delimiter: delimiter, hasDecimalComma: hasDecimalComma)
        dialect.numbers = Set(numbers.compactMap(\.string))
        return (ResultBody(bytes: bytes, form: .csv(dialect)), hidden)
    }

    /// How many rows it has. Others get a turn in between: it may be long.
    ///
    /// - Throws: `malformed` for a file that is no CSV, `FaultList` for columns by which no row could be read, and for
    ///   too many rows.
    func count() async throws -> Int {
        var reader = try ResultReader(self)
        var count = 0
        while try reader.skip() {
            count += 1
            guard count <= Self.mostRows else {
                throw FaultList([Fault("row_limit", ["limit": .number(String(Self.mostRows))])])
            }
            if count % 256 == 0 { await Task.yield() }
        }
        return count
    }
}
