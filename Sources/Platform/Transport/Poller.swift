internal import CLinux
internal import Glibc

/// The readiness of a descriptor.
struct Readiness {
    let events: UInt32

    /// Whether there are bytes, or an end, to read.
    var isReadable: Bool { events & clinux_readable != 0 }
    /// Whether there is room to write.
    var isWritable: Bool { events & clinux_writable != 0 }
    /// Whether the other end will send no more.
    var hasPeerEnded: Bool { events & clinux_peer_ended != 0 }
    /// Whether the connection is over in both directions.
    var isOver: Bool { events & (clinux_failed | clinux_hung_up) != 0 }
}

/// Something with a descriptor that a loop watches.
protocol Pollable: AnyObject {
    /// Handles the readiness of its descriptor.
    func ready(_ readiness: Readiness)
    /// Handles the end of the loop.
    func loopStopped()
}

/// The descriptors of one loop. An event carries the descriptor and the generation of its registration. So an event for
/// a descriptor that was closed earlier in the same turn never reaches the connection that got its number.
struct Poller {
    private struct Registration {
        var generation: UInt32 = 0
        var target: (any Pollable)?
    }

    private let epoll: Int32
    private var registrations: [Registration] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws(TransportError) {
        epoll = try check(clinux_epoll_create(), "epoll_create1")
    }

    /// All registered targets.
    var targets: [any Pollable] { registrations.compactMap(\.target) }

    /// Watches a connection for edges in both directions, so that the registration never has to change.
    mutating func addConnection(_ fd: Int32, _ target: any Pollable) throws(TransportError) {
        let edges = clinux_readable | clinux_writable | clinux_peer_ended | clinux_edge_triggered
        try add(fd, target, events: edges)
    }

    /// Watches a descriptor, which is reported while there is something to read.
    mutating func addSource(_ fd: Int32, _ target: any Pollable) throws(TransportError) {
        try add(fd, target, events: clinux_readable)
    }

    /// Pauses or resumes the watch of a source.
    mutating func setSource(_ fd: Int32, isWatched: Bool) {
        guard let registration = registration(fd) else { return }
        let events = isWatched ? clinux_readable : 0
        _ = clinux_epoll_change(epoll, fd, events, Poller.tag(fd, registration.generation))
    }

    /// Removes a descriptor; call it before closing the descriptor.
    mutating func remove(_ fd: Int32) {
        guard registration(fd) != nil else { return }
        _ = clinux_epoll_remove(epoll, fd)
        registrations[Int(fd)].target = nil
        registrations[Int(fd)].generation &+= 1
    }

    /// Waits for at most `timeout` milliseconds; without limit if it is negative.
    ///
    /// - Returns: the number of events.
    mutating func wait(milliseconds timeout: Int32) -> Int {
        // An interrupted wait is a turn without events.
        max(0, Int(epoll_wait(epoll, &events, Int32(events.count), timeout)))
    }

    /// Returns the event at `index` of the last wait; `nil` if its target has gone meanwhile.
    func event(_ index: Int) -> (any Pollable, Readiness)? {
        let event = events[index]
        let fd = Int32(truncatingIfNeeded: event.data.u64)
        guard let registration = registration(fd), let target = registration.target,
            registration.generation == UInt32(truncatingIfNeeded: event.data.u64 >> 32)
        else { return nil }
        return (target, Readiness(events: event.events))
    }

    /// Closes the epoll descriptor.
    func close() { _ = Glibc.close(epoll) }

    private mutating func add(_ fd: Int32, _ target: any Pollable, events: UInt32) throws(TransportError) {
        guard fd >= 0 else { throw TransportError("epoll_ctl", code: EBADF) }
        let missing = Int(fd) + 1 - registrations.count
        if missing > 0 { registrations.append(contentsOf: repeatElement(Registration(), count: missing)) }
        try check(clinux_epoll_add(epoll, fd, events, Poller.tag(fd, registrations[Int(fd)].generation)), "epoll_ctl")
        registrations[Int(fd)].target = target
    }

    private func registration(_ fd: Int32) -> Registration? {
        fd >= 0 && Int(fd) < registrations.count ? registrations[Int(fd)] : nil
    }

    private static func tag(_ fd: Int32, _ generation: UInt32) -> UInt {
        UInt(generation) << 32 | UInt(UInt32(bitPattern: fd))
    }
}
