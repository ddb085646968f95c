import Live
import WebServer
import WebSocket

/// A message in the forms for sending, each made once per loop for all its readers.
private final class SharedForms {
    var frame: Frame?
    var event: Chunk?
}

extension SharedMessage {
    /// The message as a WebSocket frame.
    func frame(alsoCompressed: Bool) -> Frame {
        let forms = forms(SharedForms.init)
        if let frame = forms.frame { return frame }
        let frame = Frame.text(text, alsoCompressed: alsoCompressed)
        forms.frame = frame
        return frame
    }

    /// The message as the data of an event.
    var event: Chunk {
        let forms = forms(SharedForms.init)
        if let event = forms.event { return event }
        let event = Chunk(EventStream.data(text))
        forms.event = event
        return event
    }
}
