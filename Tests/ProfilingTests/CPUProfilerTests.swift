import Glibc
import Testing

@testable import Profiling

@Suite(.serialized) struct CPUProfilerTests {
    /// The numbers with which a profile begins: no count, three words follow, version 0, the period in microseconds.
    private func words(_ profile: [UInt8]) -> [UInt] {
        profile.withUnsafeBytes { bytes in
            (0..<5).map { bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<UInt>.size, as: UInt.self) }
        }
    }

    @Test func `a profile is in the format of gperftools and names the program`() async throws {
        let profile = try await CPUProfiler.profile(lasting: .milliseconds(20))
        #expect(words(profile) == [0, 3, 0, 10_000, 0])
        #expect(String(decoding: profile, as: UTF8.self).contains(try program()))
    }

    @Test func `a second profile is refused while one is taken`() async throws {
        let first = Task { try await whenFree(lasting: .seconds(60)) }
        while await !isBusy() { await Task.yield() }
        first.cancel()
        #expect(try await !first.value.isEmpty)
        #expect(await !isBusy())
    }

    private func isBusy() async -> Bool {
        do throws(CPUProfiler.Failure) {
            _ = try await CPUProfiler.profile(lasting: .zero)
            return false
        } catch {
            return error == .isBusy
        }
    }

    /// A profile, asked for until no other is being taken.
    private func whenFree(lasting duration: Duration) async throws -> [UInt8] {
        while true {
            do throws(CPUProfiler.Failure) {
                return try await CPUProfiler.profile(lasting: duration)
            } catch {
                guard error == .isBusy else { throw error }
                await Task.yield()
            }
        }
    }

    private func program() throws -> String {
        var path = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &path, path.count)
        try #require(count > 0)
        return String(decoding: path.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
