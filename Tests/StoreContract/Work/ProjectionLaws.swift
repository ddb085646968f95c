import DataStore
import Shared

extension StoreLaw {
    static let projections: [StoreLaw] = [
        StoreLaw("the same content has one version, however many store it at once") { place in
            let projections = place.data.projections
            let versions = try await withThrowingTaskGroup(of: Version.self) { group in
                for _ in 1...20 { group.addTask { try await projections.assign("p", digest: [1]).version } }
                return try await group.reduce(into: Set<Version>()) { $0.insert($1) }
            }
            try expect(versions, is: [1], "the versions")
            try expect(try await projections.version(of: "q"), is: nil, "the version of another one")
        },
        StoreLaw("versions of other contents rise by one, without gaps") { place in
            let projections = place.data.projections
            let versions = try await withThrowingTaskGroup(of: Version.self) { group in
                for number in 1...20 {
                    group.addTask { try await projections.assign("p", digest: [UInt8(number)]).version }
                }
                return try await group.reduce(into: [Version]()) { $0.append($1) }
            }
            try expect(versions.sorted(), is: Array(1...20), "the versions")
            try expect(try await projections.version(of: "p"), is: 20, "the last one")
        },
        StoreLaw("what was composed before another version was assigned gets none, unless it is the same") { place in
            let projections = place.data.projections
            let first = try await projections.assign("p", digest: [1], after: nil)
            let early = try await projections.assign("p", digest: [2], after: nil)
            let second = try await projections.assign("p", digest: [2], after: 1)
            let late = try await projections.assign("p", digest: [1], after: 1)
            let same = try await projections.assign("p", digest: [2], after: 1)
            let versions = [first, early, second, late, same].map { $0?.version }
            try expect(versions, is: [1, nil, 2, nil, 2], "the versions")
            try expect(try await projections.version(of: "p"), is: 2, "the last one")
        },
    ]
}
