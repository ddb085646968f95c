/// A day of the Gregorian calendar, `2026-11-21`.
public struct CalendarDay: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of days since 1970-01-01.
    public let days: Int

    /// Creates the day so many days after 1970-01-01, clamped to the years 1…9999.
    public init(days: Int) { self.days = min(max(days, -719_162), 2_932_896) }

    /// Reads `YYYY-MM-DD`; `nil` for anything else, including days that do not exist.
    public init?(text: some StringProtocol) {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.map(\.count) == [4, 2, 2],
            parts.allSatisfy({ $0.allSatisfy { $0 &- 0x30 < 10 } })
        else { return nil }
        let numbers = parts.map { $0.reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard numbers[0] >= 1, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]) else { return nil }
        days = CalendarDay.days(year: numbers[0], month: numbers[1], day: numbers[2])
        guard description == text else { return nil }
    }

    /// The day as `YYYY-MM-DD`.
    public var description: String {
        let (year, month, day) = civil
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// Compares days: the earlier one is smaller.
    public static func < (left: Self, right: Self) -> Bool { left.days < right.days }

    // The year begins in March here, so that the leap day is its last; eras of 400 years repeat exactly.
    // https://howardhinnant.github.io/date_algorithms.html
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let calendarMonth = month < 10 ? month + 3 : month - 9
        return (
            yearOfEra + era * 400 + (calendarMonth <= 2 ? 1 : 0), calendarMonth, dayOfYear - (153 * month + 2) / 5 + 1
        )
    }
}

extension Timestamp {
    /// Reads a moment in UTC as ``description`` writes it, with or without milliseconds; `nil` for any other text.
    public init?(text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20 || bytes.count == 24, bytes[10] == UInt8(ascii: "T"), bytes.last == UInt8(ascii: "Z"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes.count == 20 || bytes[19] == UInt8(ascii: "."),
            let day = CalendarDay(text: String(decoding: bytes[..<10], as: UTF8.self)),
            let hour = number(bytes[11..<13]), hour < 24, let minute = number(bytes[14..<16]), minute < 60,
            let second = number(bytes[17..<19]), second < 60,
            let milliseconds = bytes.count == 20 ? 0 : number(bytes[20..<23])
        else { return nil }
        let seconds = Int64(day.days) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
        self.init(microseconds: seconds * 1_000_000 + Int64(milliseconds) * 1_000)
    }
}

/// Returns the number that decimal digits write; `nil` for other characters.
private func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.reduce(0) { sum, digit -> Int? in
        guard let sum, (0x30...0x39).contains(digit) else { return nil }
        return sum * 10 + Int(digit - 0x30)
    }
}

extension Timestamp: CustomStringConvertible {
    private static let microsecondsADay: Int64 = 86_400_000_000

    /// The day in UTC.
    public var day: CalendarDay {
        let days = microseconds / Timestamp.microsecondsADay
        return CalendarDay(days: Int(days) - (microseconds % Timestamp.microsecondsADay < 0 ? 1 : 0))
    }

    /// RFC 3339 in UTC with milliseconds, `2026-11-21T09:31:05.120Z`.
    public var description: String {
        let milliseconds = Int(timeOfDay / 1_000)
        let seconds = milliseconds / 1_000
        let time = [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
        return "\(day)T\(time).\(padded(milliseconds % 1_000, 3))Z"
    }

    private var timeOfDay: Int64 {
        let remainder = microseconds % Timestamp.microsecondsADay
        return remainder < 0 ? remainder + Timestamp.microsecondsADay : remainder
    }
}

private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
