import GradingKit

/// Reads statuses: how an entry that is not simply graded counts.
extension DocumentParser {
    /// Names that mean something else in place of a status.
    private static let taken: Set<String> = ["graded", "none", "superseded", "yes"]
    /// A word of the language that is also a usual name of a status. In the place of a status it means nothing else.
    private static let shared = "missing"

    mutating func readStatus(_ reader: inout TokenReader, _ raw: RawDeclaration) throws(Stop) {
        let name = reader.sees(Self.shared) ? try reader.anyName() : try reader.newName()
        try note(name, as: "status", atMost: 32)
        if Self.taken.contains(name.text) {
            faults.add(.reserved, name.range, ["name": .string(name.text)])
            throw Stop()
        }
        guard Status(rawValue: name.text) != nil else {
            faults.add(.statusNameTooLong, name.range, ["limit": .number(String(Status.longest))])
            throw Stop()
        }
        let heading = RegulationDocument.Heading(name: name, label: try reader.labelIfAny(), article: raw.article)
        try reader.word("average")
        var rule = StatusRule(average: try average(&reader), attempted: false, earned: false, inGPA: false)
        while !reader.isAtEnd {
            if reader.takes("attempted") {
                rule.attempted = true
            } else if reader.takes("earned") {
                rule.earned = true
            } else if reader.takes("in_gpa") {
                rule.inGPA = true
            } else {
                throw reader.stop(.statusCounts)
            }
        }
        document.statuses.append(RegulationDocument.StatusRow(heading: heading, rule: rule))
    }

    /// How an entry with the status enters averages.
    private func average(_ reader: inout TokenReader) throws(Stop) -> StatusRule.Average {
        if reader.takes("counts") { return .counts }
        if reader.takes("worst") { return .minimum }
        if reader.takes("pending") { return .pending }
        if reader.takes("leaves") { return .leaves }
        guard case .number(let percent)? = reader.next?.content, reader.peek(1)?.says("%") ?? false else {
            throw reader.stop(.statusAverage)
        }
        guard percent <= 100, let share = percent / 100 else { throw reader.stop(.shareOutOfRange) }
        reader.skip(2)
        return share.isZero ? .minimum : .share(share)
    }
}
