import CSQLite

extension SQLiteConnection {
    /// Holds the closure that SQLite calls while a statement runs.
    private final class Question {
        let isOver: () -> Bool
        init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
    }

    /// Steps of a statement between two calls of the closure: some microseconds of work.
    private static let stepsPerQuestion: Int32 = 10_000

    /// Runs `body`, whose statements fail with ``SQLiteError/Code/interrupted`` once `isOver` returns `true`.
    public func stopping<Value>(when isOver: @escaping () -> Bool, _ body: () throws -> Value) rethrows -> Value {
        let question = Question(isOver)
        let context = Unmanaged.passUnretained(question).toOpaque()
        sqlite3_progress_handler(
            handle, Self.stepsPerQuestion,
            { context in
                guard let context else { return 0 }
                return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
            }, context)
        defer {
            sqlite3_progress_handler(handle, 0, nil, nil)
            withExtendedLifetime(question) {}
        }
        return try body()
    }
}
