internal import Glibc
internal import HTTP

/// The current `Date` field, rewritten once per second.
final class DateClock {
    private var second: Int64 = -1
    private var written: [UInt8] = []

    /// The current time as HTTP writes it.
    var bytes: [UInt8] {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        let now = Int64(time.tv_sec)
        if now != second {
            second = now
            written = HTTPDate.bytes(secondsSince1970: now)
        }
        return written
    }
}
