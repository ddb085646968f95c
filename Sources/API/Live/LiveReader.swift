import Live
import Shared

/// Whoever reads topics on a loop, in whatever wire form.
protocol LiveReader: AnyObject {
    /// A topic may have changed.
    func changed(_ channel: ChannelID)
    /// Rights may have gone.
    func revoked(_ revocation: Revocation)
    /// The server stops within that time.
    func drain(within window: Duration)
}
