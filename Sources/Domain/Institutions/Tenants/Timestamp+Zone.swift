public import Shared
public import TimeZones

extension Institution {
    /// Returns the day that the institution's calendars show at a moment: by it, due days end and versions of rules come
    /// into force.
    public func today(at moment: Timestamp) -> CalendarDay { moment.day(in: timeZone) }
}

extension Timestamp {
    /// Returns the day that the calendars of a time zone show at this moment.
    public func day(in zone: TimeZone) -> CalendarDay {
        // Whole milliseconds, rounded down.
        let milliseconds = microseconds / 1_000 - (microseconds % 1_000 < 0 ? 1 : 0)
        return CalendarDay(days: zone.day(at: milliseconds))
    }

    /// The day in the zone of UTC+14: nowhere is it later at this moment.
    public var latestDay: CalendarDay { adding(seconds: 14 * 3_600).day }
}
