public import Shared
public import TimeZones

extension Timestamp {
    /// Returns the day that the calendars of a time zone show at this moment.
    public func day(in zone: TimeZone) -> CalendarDay {
        // Whole milliseconds, rounded down.
        let milliseconds = microseconds / 1_000 - (microseconds % 1_000 < 0 ? 1 : 0)
        return CalendarDay(days: zone.day(at: milliseconds))
    }
}
