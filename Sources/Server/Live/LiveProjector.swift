import Live
import Storage

/// Follows the changes and tells the live room of new versions of what is composed when it is read: lists of records,
/// programs and cohorts.
struct LiveProjector: Sendable {
    /// How long changes of one list are gathered before it is composed again.
    static let gathering = Duration.milliseconds(100)

    let room: LiveRoom
    let desk: LiveDesk
    let exchange: LiveExchange

    /// Works until its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await followLists() }
            group.addTask { await followPrograms() }
            group.addTask { await followCohorts() }
        }
    }

    private func followPrograms() async {
        for await program in exchange.changedPrograms {
            await publish(.program(program))
        }
    }

    private func followCohorts() async {
        for await (program, document) in desk.cohorts.pictures {
            room.publish([
                TopicUpdate(
                    topic: .cohort(program), revision: document.revision, change: .document { document.bytes })
            ])
        }
    }

    /// A list is composed at most once in `gathering`, however fast its records change, and only where it is read.
    private func followLists() async {
        var waiting: Set<AccountID> = []
        for await account in exchange.changedLists {
            waiting.insert(account)
            try? await Task.sleep(for: Self.gathering)
            for account in waiting where await room.hasReaders(of: .records(account)) {
                await publish(.records(account))
            }
            waiting.removeAll()
        }
    }

    /// What cannot be read now is found by the sweep.
    private func publish(_ topic: Topic) async {
        guard let document = try? await desk.document(topic) else { return }
        room.publish([
            TopicUpdate(topic: topic, revision: document.revision, change: .document { document.bytes })
        ])
    }
}
