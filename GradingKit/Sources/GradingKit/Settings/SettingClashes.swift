/// Settings that are right by themselves and do not fit together.
///
/// A clash is reported at every setting involved, since the kit cannot know which one was meant; the caller drops those
/// that were not sent. A setting that could not be read is in no clash: its value is not known.
public struct SettingClashes {
    private let unreadable: Set<String>
    private(set) var faults = FaultList()

    /// No clash yet; the named settings could not be read.
    init(unreadable: Set<String> = []) { self.unreadable = unreadable }

    /// Adds a clash of the named settings, each with the arguments of its message.
    public mutating func add(_ code: FaultCode, _ settings: (name: String, arguments: JSONObject)...) {
        guard !settings.contains(where: { unreadable.contains($0.name) }) else { return }
        for setting in settings { faults.add(code, at: JSONPointer.step(setting.name), setting.arguments) }
    }
}
