import Testing
import TimeZones

@Suite struct TimeZoneTests {
    /// 2026-03-28 12:00 in UTC, the day before Europe's clocks go forward.
    private let spring: Int64 = 1_774_699_200_000
    private let hour: Int64 = 3_600_000

    @Test(arguments: ["UTC", "Europe/Paris", "Asia/Shanghai", "America/Indiana/Indianapolis", "Asia/Kathmandu"])
    func `names of the database are zones`(name: String) {
        #expect(TimeZone(name)?.identifier == name)
    }

    @Test(arguments: [
        "", "Paris", "BST", "PST", "EST", "GMT", "utc", "Europe/Paris ", "europe/paris\u{0}", "GMT+5", "Etc/Unknown",
        "../etc/passwd", "Europe/Pаris",
        String(repeating: "x", count: 65), String(repeating: "é", count: 1_000_000),
    ])
    func `other texts are no zones`(name: String) {
        #expect(TimeZone(name) == nil)
    }

    @Test func `the next seven o'clock is later, at most a day away`() {
        let morning = spring - 5 * hour
        #expect(TimeZone.utc.next(hour: 7, after: morning - 1) == morning)
        #expect(TimeZone.utc.next(hour: 7, after: morning) == morning + 24 * hour)
        #expect(TimeZone.utc.next(hour: 7, after: spring) == morning + 24 * hour)
    }

    @Test func `a zone's own clocks count, in summer and in winter`() throws {
        let paris = try #require(TimeZone("Europe/Paris"))
        let morning = spring - 6 * hour
        #expect(paris.next(hour: 7, after: morning - 1) == morning)
        // A day of 23 hours lies between.
        #expect(paris.next(hour: 7, after: morning) == morning + 23 * hour)
        let kathmandu = try #require(TimeZone("Asia/Kathmandu"))
        #expect(kathmandu.next(hour: 7, after: spring) == spring + 13 * hour + hour / 4)
    }

    @Test func `an hour that the clocks skip comes as long after midnight`() throws {
        let paris = try #require(TimeZone("Europe/Paris"))
        #expect(paris.next(hour: 2, after: spring) == spring + 13 * hour)
    }

    @Test(arguments: [
        ("UTC", 12, 12, 0), ("Asia/Shanghai", 15, 16, 1), ("America/Los_Angeles", 6, 7, -1),
        ("Pacific/Kiritimati", 9, 10, 1), ("Pacific/Pago_Pago", 10, 11, -1),
    ])
    func `a day ends at a zone's midnight`(name: String, last: Int64, first: Int64, difference: Int) throws {
        let zone = try #require(TimeZone(name))
        let (midnight, day) = (spring - 12 * hour, Int(spring / (24 * hour)))
        if difference == 0 {
            #expect(zone.day(at: midnight) == day)
            #expect(zone.day(at: midnight - 1) == day - 1)
        } else {
            // The hour at which the zone's day changes, in UTC.
            let change = midnight + first * hour
            #expect(zone.day(at: change) == zone.day(at: change - 1) + 1)
            #expect(zone.day(at: change) == (difference > 0 ? day + 1 : day))
            #expect(zone.day(at: midnight + last * hour) == zone.day(at: change) - 1)
        }
    }

    @Test func `far times have a day too`() {
        #expect(TimeZone.utc.day(at: -1) == -1)
        #expect(TimeZone.utc.day(at: -62_135_596_800_000) == -719_162)
        for moment in [Int64.min, .max] { #expect(abs(TimeZone.utc.day(at: moment)) > 100_000_000_000) }
    }

    @Test func `far times have a next hour too`() {
        for moment in [Int64(0), -62_135_596_800_000, 253_402_300_799_000] {
            let next = TimeZone.utc.next(hour: 7, after: moment)
            #expect(next > moment && next - moment <= 24 * hour)
        }
    }
}
