/// A thread for the tasks that prefer it, so that their computations hold up neither event loops nor other tasks.
public final class TaskThread: TaskExecutor, Sendable {
    private struct Step: Sendable {
        let job: UnownedJob
        let executor: TaskThread
    }

    private let steps: BlockingQueue<Step>
    private let thread: Thread

    /// Starts the thread; see ``Thread/init(_:niceness:stackSize:_:)``.
    public init(_ name: String, niceness: Int32 = 0) throws(ThreadError) {
        let steps = BlockingQueue<Step>()
        self.steps = steps
        thread = try Thread(name, niceness: niceness) {
            while let step = steps.next() {
                step.job.runSynchronously(on: step.executor.asUnownedTaskExecutor())
            }
        }
    }

    /// Runs a task's next step on the thread. From any thread.
    public func enqueue(_ job: consuming ExecutorJob) {
        let step = Step(job: UnownedJob(job), executor: self)
        // If the thread has ended, a task that is left over continues on the thread that wakes it.
        if !steps.push(step) { step.job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Ends the thread and waits for it. Await all its tasks first.
    public func join() async {
        steps.close()
        await thread.join()
    }
}
