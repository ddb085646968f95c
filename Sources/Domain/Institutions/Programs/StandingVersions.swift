package import Shared

/// The published versions that a program's document shows.
public struct StandingVersions: Sendable, Equatable {
    /// The version that judges new records; `nil` if nothing is published.
    public let inForce: ProgramVersion?
    /// The versions whose day is still to come, the earliest first.
    public let waiting: [ProgramVersion]

    /// The versions of a program that was never published.
    public static let none = StandingVersions(inForce: nil, waiting: [])

    /// Selects the versions that matter from all versions of a program, newest first.
    public init(of program: Program, among versions: [ProgramVersion]) {
        inForce = versions.first { $0.number == program.inForce?.number }
        waiting = versions.filter { $0.number > program.inForce?.number ?? 0 }.reversed()
    }

    private init(inForce: ProgramVersion?, waiting: [ProgramVersion]) {
        self.inForce = inForce
        self.waiting = waiting
    }

    /// Returns the version that judges a record created on that day, given the versions, newest first.
    package static func inForce(_ versions: [ProgramVersion], on day: CalendarDay) -> ProgramVersion? {
        versions.first { $0.effectiveFrom <= day } ?? versions.last
    }
}
