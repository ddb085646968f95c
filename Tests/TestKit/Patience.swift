/// How long a test waits for what must come, so that one that would hang ends: five minutes, four times as long where every
/// access is watched. No promise about speed rests on it.
public enum Patience {
    /// In seconds.
    public static let seconds = Sanitizer.isPresent ? 1_200 : 300
}
