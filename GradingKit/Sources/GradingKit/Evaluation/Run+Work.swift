/// An outcome of an entry.
struct OutcomePlace: Hashable {
    let index: Int
    /// The index of the outcome among those of the entry's kind.
    let slot: Int
}

/// The state of an outcome that formulas have asked for.
enum KnownDecision {
    case deciding
    case decided(Decision, isUnsettled: Bool)
}

/// The bound on a run's cost, whatever its rules are. Steps are counted before they are taken, and a run without steps
/// left computes nothing more.
extension Run {
    /// Whether steps are left. If none are, the record is refused.
    var hasTime: Bool {
        if steps <= mostSteps { return true }
        refuse(.tooMuchWork)
        return false
    }

    /// How many steps are left.
    var stepsLeft: Int { max(0, mostSteps - steps) }

    /// Counts work other than reading fields, figures and outcomes, in steps; `false` if it was too much.
    @discardableResult
    func spend(_ work: Int) -> Bool {
        count(work)
        return hasTime
    }
}

extension Exact {
    /// The cost in steps of an operation on numbers of this many bits: nothing for machine words, and about a
    /// millisecond at 4,096 bits, most of it for common divisors.
    static func work(onBits bits: Int) -> Int {
        let limbs = (bits + 63) / 64
        return limbs > 1 ? 4 * limbs * (limbs + 100) : 0
    }

    /// The cost in steps of an operation on the value.
    package var work: Int { if case .wide = form { Self.work(onBits: bitWidth) } else { 0 } }
}

extension Quantity {
    /// The cost in steps of an operation on the value.
    @inline(__always)
    var work: Int { hasBackground ? number.work : 0 }
}

extension GradedEntry {
    /// Counts the work of a formula that built this quantity from numbers of its own. The result is undefined once the
    /// run has no steps left. Numbers within machine words cost nothing.
    @inline(__always)
    public func counted(_ quantity: Quantity) -> Quantity {
        let work = quantity.work
        return work == 0 || spend(work) ? quantity : .undefined(.tooMuchWork)
    }

    /// Counts work of a formula other than reading fields and figures, in steps; `false` once the run has no steps
    /// left.
    public func spend(_ work: Int) -> Bool { asking { $0.spend(work) } }

    /// The decision on an outcome of this entry, made when a formula first asks for it.
    public func decision(_ outcome: String) -> Decision {
        asking { run in
            let kind = run.rules.kinds[run.record.nodes[index].kind]
            guard let slot = kind.outcomes.firstIndex(where: { $0.name == outcome }) else {
                return Decision(.pending, because: DecisionReason(.unknownField))
            }
            return run.decision(kind.outcomes[slot], OutcomePlace(index: index, slot: slot))
        }
    }
}

extension FaultCode {
    /// The record's rules take more work than one record may take.
    public static let tooMuchWork: FaultCode = "too_much_work"
}
