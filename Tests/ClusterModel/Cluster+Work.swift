import Records
import Shared

/// Background work under leases, and a projector with a cursor, on every node.
extension Cluster {
    // MARK: Leases

    /// Claims a piece of work that no lease holds.
    func claim(_ node: Node) {
        guard !node.isWorking else { return }
        node.isWorking = true
        claims += 1
        let claim = WorkClaim(owner: "n\(node.number)", token: "t\(claims)", at: clock(node))
        let held = WorkLease.ends(holdingAt: claim.at)
        ask(
            node,
            { database -> (Int, WorkLease, Int)? in
                let free = database.jobs.firstIndex { job in
                    !job.isFinished && !(job.lease.map { held.contains($0.endsAt) } ?? false)
                }
                guard let free else { return nil }
                let lease = claim.lease(on: "\(free)", .imports)
                database.jobs[free].lease = lease
                return (free, lease, database.jobs[free].done)
            }
        ) { [unowned self] answer in
            guard case (let job, let lease, let done)?? = answer else {
                node.isWorking = false
                return
            }
            renew(lease, on: job, node)
            carryOut(job, from: done, under: lease, node)
        }
    }

    private func renew(_ lease: WorkLease, on job: Int, _ node: Node) {
        on(node, after: WorkLease.duration / 3 * 1_000_000) { [unowned self] in
            guard node.isWorking else { return }
            let renewed = lease.renewed(at: clock(node))
            ask(
                node,
                { database -> Bool in
                    guard (try? lease.check(database.jobs[job].lease)) != nil else { return false }
                    database.jobs[job].lease = renewed
                    return true
                }
            ) { [unowned self] isHeld in
                if isHeld != false { renew(lease, on: job, node) }
            }
        }
    }

    /// Carries out the steps of a job, each in a transaction that looks at the lease.
    private func carryOut(_ job: Int, from step: Int, under lease: WorkLease, _ node: Node) {
        guard step < Database.jobSteps else {
            node.isWorking = false
            return
        }
        let time = isCalm ? 10_000 : Int64(chance.below(6_000)) * 1_000
        on(node, after: time) { [unowned self] in
            let (isBlind, isApart) = (mistake == .leaseWithoutToken, mistake == .progressApart)
            ask(
                node,
                { database -> Bool in
                    guard isBlind || (try? lease.check(database.jobs[job].lease)) != nil else { return false }
                    database.jobs[job].effects[step] += 1
                    if !isApart { database.jobs[job].done = step + 1 }
                    return true
                }
            ) { [unowned self] isDone in
                guard isDone == true else {
                    // The lease is lost, or the outcome unknown: whoever claims the work next goes on.
                    node.isWorking = false
                    return
                }
                guard isApart else { return carryOut(job, from: step + 1, under: lease, node) }
                ask(node, { $0.jobs[job].done = step + 1 }) { [unowned self] noted in
                    guard noted != nil else {
                        node.isWorking = false
                        return
                    }
                    carryOut(job, from: step + 1, under: lease, node)
                }
            }
        }
    }

    // MARK: The projector

    /// Takes in what the change log holds behind the cursor.
    func project(_ node: Node) {
        guard !node.isProjecting else { return }
        node.isProjecting = true
        ask(
            node,
            { database in
                let cursor = database.cursor
                let next = database.changes.map(\.number).filter { $0 > cursor }.sorted().prefix(4)
                return (cursor, Array(next))
            }
        ) { [unowned self] found in
            guard let (cursor, numbers) = found, let last = numbers.last else {
                node.isProjecting = false
                return
            }
            store(numbers, from: cursor, to: last, on: node)
        }
    }

    private func store(_ numbers: [Int], from cursor: Int, to last: Int, on node: Node) {
        let (isBlind, isApart) = (mistake == .cursorWithoutComparison, mistake == .cursorApart)
        ask(
            node,
            { database -> Bool in
                guard isBlind || database.cursor == cursor else { return false }
                database.cursor = last
                if !isApart { database.project(numbers) }
                return true
            }
        ) { [unowned self] isMine in
            guard isApart, isMine == true else {
                node.isProjecting = false
                return
            }
            ask(node, { $0.project(numbers) }) { _ in node.isProjecting = false }
        }
    }
}

extension Database {
    fileprivate mutating func project(_ numbers: [Int]) {
        for number in numbers { projected[number, default: 0] += 1 }
    }
}
