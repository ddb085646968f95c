/// Dates as the `Date` field writes them: `Sun, 06 Nov 1994 08:49:37 GMT`.
public enum HTTPDate {
    private static let days: StaticString = "SunMonTueWedThuFriSat"
    private static let months: StaticString = "JanFebMarAprMayJunJulAugSepOctNovDec"

    /// Returns the date of a moment in the years 1970…9999.
    ///
    /// - Parameter seconds: seconds since 1970 in UTC; clamped into that range.
    public static func bytes(secondsSince1970 seconds: Int64) -> [UInt8] {
        let seconds = min(max(seconds, 0), 253_402_300_799)
        let day = Int(seconds / 86_400)
        let time = Int(seconds % 86_400)
        let (year, month, dayOfMonth) = civil(day)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        append(days, (day + 4) % 7, to: &bytes)
        bytes.append(contentsOf: ", ".utf8)
        append(dayOfMonth, to: &bytes)
        bytes.append(Bytes.space)
        append(months, month - 1, to: &bytes)
        bytes.append(Bytes.space)
        append(year / 100, to: &bytes)
        append(year % 100, to: &bytes)
        bytes.append(Bytes.space)
        append(time / 3600, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time / 60 % 60, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time % 60, to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
        return bytes
    }

    /// Returns year, month and day of the month, after Howard Hinnant's `civil_from_days`.
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number / 10 % 10))
        bytes.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }

    private static func append(_ names: StaticString, _ index: Int, to bytes: inout [UInt8]) {
        names.withUTF8Buffer { bytes.append(contentsOf: $0[(index * 3)..<(index * 3 + 3)]) }
    }
}
