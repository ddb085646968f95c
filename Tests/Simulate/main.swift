import ClusterModel
import Glibc

// Runs the simulated cluster with many seeds, or one again: simulate RUNS [SEED [MISTAKE]].
let words = CommandLine.arguments.dropFirst().map { $0 }
guard words.count <= 3, let runs = UInt64(words.first ?? "1000"), let seed = UInt64(words.count > 1 ? words[1] : "0"),
    words.count < 3 || Mistake(rawValue: words[2]) != nil
else {
    print("usage: Simulate [RUNS [SEED [MISTAKE]]]")
    print("mistakes: \(Mistake.allCases.map(\.rawValue).joined(separator: " "))")
    exit(2)
}
let mistake = words.count > 2 ? Mistake(rawValue: words[2]) : nil
var (events, failures) = (0, 0)
for number in seed..<(seed &+ runs) {
    let cluster = Cluster(seed: number, mistake: mistake)
    cluster.run()
    events += cluster.events
    guard !cluster.faults.isEmpty else { continue }
    for fault in cluster.faults { print("SEED=\(number): \(fault)") }
    fflush(nil)
    failures += 1
    if failures == 10 { break }
}
print("\(runs) runs from seed \(seed), \(events) events, \(failures) failed")
exit(failures == 0 ? 0 : 1)
