import Shared
import Testing

@Suite struct CalendarDayTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2026-11-21", 20_778), ("0001-01-01", -719_162),
        ("9999-12-31", 2_932_896),
    ])
    func `a day is read and written`(text: String, days: Int) {
        #expect(CalendarDay(text: text)?.days == days)
        #expect(CalendarDay(days: days).description == text)
    }

    @Test(arguments: [
        "", "2026", "2026-1-1", "2026-13-01", "2026-00-10", "2026-02-29", "1900-02-29", "2026-04-31", "0000-01-01",
        "+026-01-01", "2026-01-01T00:00:00Z", "2026-01-32", " 2026-01-01", "٢٠٢٦-٠١-٠١",
    ])
    func `what is no day is refused`(text: String) {
        #expect(CalendarDay(text: text) == nil)
    }

    @Test func `every day follows the one before`() {
        var previous = CalendarDay(text: "1599-12-31")?.description ?? ""
        for days in -135_140 ..< -135_140 + 146_097 * 2 {
            let day = CalendarDay(days: days).description
            #expect(previous < day)
            previous = day
        }
        #expect(previous == "2399-12-31")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (1_795_253_465_120_999, "2026-11-21T09:31:05.120Z"), (Int64.min, "0001-01-01T19:59:05.224Z"),
    ])
    func `a moment is written in UTC with milliseconds`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).description == text)
    }
}
