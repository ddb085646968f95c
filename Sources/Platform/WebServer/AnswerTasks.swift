internal import Transport

/// The tasks of a loop that work on answers, one answer after the other.
///
/// A task is made when all others are busy. When it is done, it waits for the next answer and keeps the memory of its
/// calls, so that the next answer need not allocate it.
final class AnswerTasks {
    /// The most tasks that wait.
    private static let mostIdle = 32

    private let loop: EventLoop
    private var idle: [AnswerTask] = []
    private var isClosed = false

    init(on loop: EventLoop) { self.loop = loop }

    /// Makes a task do the work and pass its reply to the connection.
    ///
    /// - Returns: the task, which may be cancelled until the connection has the reply.
    func begin(_ work: @escaping Reply.Work, for connection: HTTPConnection) -> AnswerTask {
        let assignment = AnswerTask.Assignment(work: work, connection: LoopBound(connection, to: loop))
        guard let task = idle.popLast() else { return AnswerTask(assignment, of: self, on: loop) }
        task.go(on: assignment)
        return task
    }

    /// Keeps a task that waits, unless there are enough; returns whether it is kept.
    fileprivate func keep(_ task: AnswerTask) -> Bool {
        guard !isClosed, idle.count < AnswerTasks.mostIdle else { return false }
        idle.append(task)
        return true
    }

    /// Ends the tasks that wait now, and those that are busy when they are done.
    func close() {
        isClosed = true
        for task in idle { task.go(on: nil) }
        idle = []
    }
}

/// One of the tasks. Its state belongs to the loop.
final class AnswerTask {
    /// The work to do, and the connection that gets its reply.
    fileprivate struct Assignment: Sendable {
        let work: Reply.Work
        let connection: LoopBound<HTTPConnection>
    }

    private let pool: AnswerTasks
    private var first: Assignment?
    private var waiting: UnsafeContinuation<Assignment?, Never>?
    private var task: Task<Void, Never>?

    fileprivate init(_ first: Assignment, of pool: AnswerTasks, on loop: EventLoop) {
        self.first = first
        self.pool = pool
        let this = LoopBound(self, to: loop)
        task = Task(executorPreference: loop) {
            // What an assignment holds is released before the next assignment is awaited.
            while let assignment = await AnswerTask.next(for: this) {
                guard await AnswerTask.perform(assignment) else { return }
            }
        }
    }

    /// Cancels the work. The task takes no further work then.
    func cancel() { task?.cancel() }

    fileprivate func go(on assignment: Assignment?) {
        let continuation = waiting
        waiting = nil
        continuation?.resume(returning: assignment)
    }

    /// Does the work; returns whether the task still runs on the loop, where it may take more.
    private static func perform(_ assignment: Assignment) async -> Bool {
        let reply = await assignment.work()
        let connection = assignment.connection
        guard connection.loop.isCurrent else {
            // A task that prefers the loop runs elsewhere only if the loop takes no more tasks.
            connection.loop.execute { connection.value.conclude(reply) }
            return false
        }
        connection.value.conclude(reply)
        return true
    }

    /// Returns the next assignment; `nil` if there will be none.
    private static func next(for task: LoopBound<AnswerTask>) async -> Assignment? {
        if let first = task.value.takeFirst() { return first }
        return await withUnsafeContinuation { continuation in
            // Resumed exactly once: by `go`, or here.
            if !task.value.wait(continuation) { continuation.resume(returning: nil) }
        }
    }

    private func takeFirst() -> Assignment? {
        defer { first = nil }
        return first
    }

    private func wait(_ continuation: UnsafeContinuation<Assignment?, Never>) -> Bool {
        guard !Task.isCancelled, pool.keep(self) else { return false }
        waiting = continuation
        return true
    }
}
