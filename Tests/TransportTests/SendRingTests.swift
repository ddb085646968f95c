import Glibc
import Testing

@testable import Transport

@Suite struct `A send ring` {
    /// Two ends of a connection; the first does not block and has room for little.
    private func pair() -> (near: Int32, far: Int32) {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        var least: Int32 = 1
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &least, socklen_t(MemoryLayout<Int32>.size))
        return (ends[0], ends[1])
    }

    @Test func `says of each send how much of it went out`() throws {
        // Where the kernel offers none there is nothing to look at.
        guard let ring = SendRing() else { return }
        let (good, slow, gone) = (pair(), pair(), pair())
        shutdown(gone.far, Int32(SHUT_RDWR))
        let long = [UInt8](repeating: 7, count: 1 << 20)
        for _ in 0..<3 {
            var outcomes: [Int] = []
            long.withUnsafeBytes { long in
                let short = UnsafeRawBufferPointer(rebasing: long[..<200])
                for (sender, descriptor) in [good.near, slow.near, gone.near, -1].enumerated() {
                    #expect(ring.add(descriptor, descriptor == slow.near ? long : short, from: sender * 10))
                }
                ring.submit { sender, outcome in
                    #expect(sender == outcomes.count * 10)
                    outcomes.append(outcome)
                }
            }
            #expect(outcomes[0] == 200)
            #expect(outcomes[1] == -Int(EAGAIN) || (1..<long.count).contains(outcomes[1]))
            #expect(outcomes[2] == -Int(EPIPE) && outcomes[3] == -Int(EBADF))
            var buffer = [UInt8](repeating: 0, count: 1024)
            #expect(recv(good.far, &buffer, buffer.count, 0) == 200)
        }
        for descriptor in [good.near, good.far, slow.near, slow.far, gone.near, gone.far] { close(descriptor) }
    }

    @Test func `takes so many and no more`() throws {
        guard let ring = SendRing() else { return }
        let ends = pair()
        [1 as UInt8].withUnsafeBytes { bytes in
            var (added, told) = (0, 0)
            while ring.add(ends.near, bytes, from: 0) { added += 1 }
            #expect(added >= 64)
            ring.submit { _, _ in told += 1 }
            #expect(told == added)
            ring.submit { _, _ in Issue.record("nothing was put in since") }
            #expect(ring.add(ends.near, bytes, from: 0))
            ring.submit { _, _ in }
        }
        for descriptor in [ends.near, ends.far] { close(descriptor) }
    }
}
