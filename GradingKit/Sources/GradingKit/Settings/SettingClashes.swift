/// Clashes between settings that are valid by themselves but do not fit together.
///
/// A clash is reported at every setting involved, because the kit cannot know which one is wrong; the caller removes
/// those that were not sent. An unreadable setting takes part in no clash, because its value is unknown.
public struct SettingClashes {
    private let unreadable: Set<String>
    private(set) var faults = FaultList()

    /// Creates an empty collection; the named settings could not be read.
    init(unreadable: Set<String> = []) { self.unreadable = unreadable }

    /// Adds a clash between the named settings, each with the arguments of its message.
    public mutating func add(_ code: FaultCode, _ settings: (name: String, arguments: JSONObject)...) {
        guard !settings.contains(where: { unreadable.contains($0.name) }) else { return }
        for setting in settings { faults.add(code, at: JSONPointer.step(setting.name), setting.arguments) }
    }
}
