import Application
import Live
import Shared

/// Follows the changes and tells the live service of new versions of what is composed when it is read: lists of records,
/// programs and cohorts.
struct LiveProjector: Sendable {
    /// How long changes are gathered before anything is composed again, however fast they come.
    static let gathering = Duration.milliseconds(100)

    let service: LiveService
    let documents: LiveDocuments
    let exchange: CommitBroadcaster

    /// Works until its task is cancelled. What cannot be read now is found by the sweep.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await followChanges() }
            group.addTask { await followCohorts() }
            group.addTask { await followFeeds() }
        }
    }

    private func followChanges() async {
        for await _ in exchange.rings {
            try? await Task.sleep(for: Self.gathering)
            for topic in await service.readTopics(among: exchange.takeChanged()) {
                guard let document = try? await documents.document(of: topic) else { continue }
                publish(topic, document)
            }
        }
    }

    private func followCohorts() async {
        for await (program, document) in documents.cohortPictures { publish(.cohort(program), document) }
    }

    /// Has the feeds composed again that may read differently. Those without a reader are forgotten.
    private func followFeeds() async {
        for await _ in documents.feeds.news.rings {
            try? await Task.sleep(for: Self.gathering)
            let changed = await documents.feeds.takeChanged()
            let topics = await service.readTopics(among: changed.map { .feed($0) })
            documents.feeds.news.forget(changed.filter { !topics.contains(.feed($0)) })
            service.doubt(Array(topics))
        }
    }

    private func publish(_ topic: Topic, _ document: LiveDocument) {
        service.publish([TopicUpdate(topic: topic, revision: document.revision, change: .document { document.bytes })])
    }
}
