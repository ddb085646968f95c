import Shared

/// What must be true once all has been calm for a while.
extension Cluster {
    func judge() {
        for client in clients { judge(client) }
        judgeChanges()
        for (number, job) in database.jobs.enumerated() where job.effects.contains(where: { $0 != 1 }) {
            fault("once: the steps of job \(number) took effect \(job.effects) times")
        }
    }

    private func judge(_ client: Client) {
        for text in client.faults { fault("client \(client.number): \(text)") }
        guard client.connection != nil else { return fault("convergence: client \(client.number) is not connected") }
        for document in Database.documents.indices {
            let mayRead = database.mayRead(account: client.account, session: client.session, document: document)
            if mayRead, client.held[document] != database.revision(of: document) {
                fault(
                    "convergence: client \(client.number) holds \(client.held[document]?.description ?? "nothing") of "
                        + "document \(document), which is at \(database.revision(of: document))")
            }
            if !mayRead, client.held[document] != nil {
                fault("silence: client \(client.number) still follows document \(document)")
            }
        }
    }

    private func judgeChanges() {
        var counts: [Int: Int] = [:]
        for change in database.changes { counts[change.key, default: 0] += 1 }
        for key in counts.keys.sorted() where counts[key] != 1 {
            fault("once: the change under key \(key) was made \(counts[key] ?? 0) times")
        }
        for key in Set(acknowledged).sorted() where counts[key] == nil {
            fault("durability: the change under key \(key) was acknowledged and is lost")
        }
        for change in database.changes where database.projected[change.number] != 1 {
            let count = database.projected[change.number] ?? 0
            fault("once: change \(change.number) was projected \(count) times")
        }
    }
}
