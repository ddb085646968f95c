import CICU

/// A time zone of the IANA database, such as `Europe/Paris`.
public struct TimeZone: Hashable, Sendable {
    /// The name in the IANA database, as it was given.
    public let identifier: String

    /// Coordinated universal time.
    public static let utc = TimeZone(known: "UTC")

    /// The maximum length of a name, in bytes.
    public static let maximumLength = 64

    /// Creates the zone with an IANA name of an area and a place, or `UTC`; `nil` for any other text.
    ///
    /// Abbreviations are refused, because they mean different zones in different places: ICU's `BST` is Dhaka's.
    public init?(_ identifier: String) {
        guard identifier.utf8.count <= Self.maximumLength,
            identifier.utf8.contains(UInt8(ascii: "/")) || identifier == "UTC"
        else { return nil }
        let name = Array(identifier.utf16)
        guard gradecast_has_zone(name, Int32(name.count)) else { return nil }
        self.init(known: identifier)
    }

    private init(known identifier: String) { self.identifier = identifier }

    /// Returns the zone's calendar day at a time, in days since 1970-01-01. The time is in milliseconds since
    /// 1970-01-01 in UTC.
    public func day(at moment: Int64) -> Int {
        let name = Array(identifier.utf16)
        var offset: Int32 = 0
        // If there is no memory for a calendar, use the day in UTC.
        if !gradecast_offset(name, Int32(name.count), Double(moment), &offset) { offset = 0 }
        let (local, overflow) = moment.addingReportingOverflow(Int64(offset))
        let day: Int64 = 86_400_000
        let time = overflow ? moment : local
        return Int(time / day) - (time % day < 0 ? 1 : 0)
    }

    /// Returns the next time at which the clocks of the zone show an hour, later than another time; both in
    /// milliseconds since 1970-01-01 in UTC.
    ///
    /// - Parameter hour: 0…23.
    public func next(hour: Int, after moment: Int64) -> Int64 {
        let name = Array(identifier.utf16)
        var found = 0.0
        if gradecast_next_hour(name, Int32(name.count), Int32(hour), Double(moment), &found) { return Int64(found) }
        // If there is no memory for a calendar, use that hour of the next day in UTC.
        let day: Int64 = 86_400_000
        let today = moment - moment % day + Int64(hour) * 3_600_000
        return today > moment ? today : today + day
    }
}
