import Accounts
import Classes
import Forms
import Gradebook
import GradingKit
import Institutions
import SQLiteStore
import Shared
import TestKit
import Testing

@testable import Application

/// A class with three students on a real store. Calculations wait until `working` lets them be done.
struct ClassHarness {
    static let students = 3

    let programs: ProgramHarness
    let gradebook: InterruptedGradebook
    let calculations: Calculations
    let classes: ClassService
    let teacher: AccountContext
    /// The students, in the order of their rows.
    let attending: [AccountContext]
    let id: ClassID

    /// - Parameter capacity: units of calculations that may wait for one account.
    init(capacity: Int = 1_000) async throws {
        let calculations = Calculations(perSecond: 1_000, workers: 1, capacityOfAsker: capacity)
        self.calculations = calculations
        programs = try await ProgramHarness(keepingClasses: { InterruptedGradebook($0) }, calculations: calculations)
        gradebook = try #require(programs.classes.store as? InterruptedGradebook)
        classes = programs.classes
        teacher = try await programs.caller("tea", as: "teacher")
        let parts = [("Assignments", 30), ("Midterm", 30), ("Final", 40)].map { name, weight in
            StructureChange.add(
                kind: "assessment", in: LineID("#0"),
                LinePatch(fields: ["name": .string(name), "max": 100, "weight": .number(String(weight))]))
        }
        id = try await classes.found(
            in: programs.program, title: "Logic", root: "course", fields: ["title": "Logic", "credits": 3],
            lines: parts, by: teacher
        ).head.id
        var attending: [AccountContext] = []
        for number in 1...Self.students {
            let student = try await programs.caller("student\(number)", as: "student")
            _ = try await classes.enrol(id, student.account, record: nil, by: teacher)
            attending.append(student)
        }
        self.attending = attending
    }

    /// Does something while calculations are done.
    func working<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        let worker = Task { await calculations.runAll() }
        defer { worker.cancel() }
        return try await body()
    }

    /// Changes the structure.
    func restructure() async throws {
        guard let structure = try await classes.store.taughtClass(id)?.structure else { throw StoreError.notFound }
        let credits = JSON.number(String(structure.number))
        _ = try await classes.change(
            id, [.patch(structure.root.id, LinePatch(fields: ["credits": credits]))], reason: nil, by: teacher)
    }

    /// Waits until calculations wait.
    func someWait() async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(Patience.seconds)
        while calculations.waiting == 0 {
            try #require(clock.now < deadline)
            await Task.yield()
        }
    }
}
