/// An outcome of an entry.
struct OutcomePlace: Hashable {
    let index: Int
    /// Its place among the outcomes of the entry's kind.
    let slot: Int
}

/// What a run knows of an outcome that formulas asked for.
enum KnownDecision {
    case deciding
    case decided(Decision, isUnsettled: Bool)
}

/// What a run may cost, whatever its rules are: steps are counted before they are taken, and a run that has used them up
/// computes nothing more.
extension Run {
    /// Whether steps are left. Once there are none, the record is refused.
    var hasTime: Bool {
        if steps <= mostSteps { return true }
        refuse(.tooMuchWork)
        return false
    }

    /// How many steps are left.
    var stepsLeft: Int { max(0, mostSteps - steps) }

    /// Counts work other than asking, in steps; `false` when it was too much.
    @discardableResult
    func spend(_ work: Int) -> Bool {
        count(work)
        return hasTime
    }
}

extension Exact {
    /// What an operation on numbers of so many bits takes, in steps of a run: nothing for machine words, and about a
    /// millisecond at 4,096 bits, most of it for common divisors.
    static func work(onBits bits: Int) -> Int {
        let limbs = (bits + 63) / 64
        return limbs > 1 ? 4 * limbs * (limbs + 100) : 0
    }

    /// What an operation on the value takes, in steps of a run.
    package var work: Int { if case .wide = form { Self.work(onBits: bitWidth) } else { 0 } }
}

extension Quantity {
    /// What an operation on the value takes, in steps of a run.
    @inline(__always)
    var work: Int { hasBackground ? number.work : 0 }
}

extension GradedEntry {
    /// A quantity that a formula has made with numbers of its own making, counted as work of the run: undefined once the
    /// run has used up what it may. Numbers within machine words cost nothing.
    @inline(__always)
    public func counted(_ quantity: Quantity) -> Quantity {
        let work = quantity.work
        return work == 0 || spend(work) ? quantity : .undefined(.tooMuchWork)
    }

    /// Counts work of a formula that asks for no field and no figure, in steps; `false` once the run has used up what it
    /// may.
    public func spend(_ work: Int) -> Bool { asking { $0.spend(work) } }

    /// How an outcome of this entry stands, decided when it is first asked for.
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
    /// To compute the record under its rules takes more work than a record may take.
    public static let tooMuchWork: FaultCode = "too_much_work"
}
