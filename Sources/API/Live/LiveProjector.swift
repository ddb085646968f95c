import Application
import Live
import Shared

/// Follows the changes, and tells the live service of new versions of documents that are composed when they are read:
/// lists of records, programs and cohorts.
struct LiveProjector: Sendable {
    /// How long changes are collected before anything is composed again.
    static let gathering = Duration.milliseconds(100)

    let service: LiveService
    let documents: LiveDocuments
    let broadcaster: CommitBroadcaster

    /// Runs until its task is cancelled. The sweep finds what cannot be read now.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await followChanges() }
            group.addTask { await followCohorts() }
            group.addTask { await followFeeds() }
        }
    }

    private func followChanges() async {
        for await _ in broadcaster.signals {
            try? await Task.sleep(for: Self.gathering)
            for topic in await service.readTopics(among: broadcaster.takeChanged()) {
                guard let document = try? await documents.document(of: topic) else { continue }
                publish(topic, document)
            }
        }
    }

    private func followCohorts() async {
        for await (program, document) in documents.cohortPictures { publish(.cohort(program), document) }
    }

    /// Has the affected feeds composed again. Feeds without readers are forgotten.
    private func followFeeds() async {
        for await _ in documents.feeds.news.signals {
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
