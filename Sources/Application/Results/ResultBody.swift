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
