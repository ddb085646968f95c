// A scheme imports only the kit; JSON and texts are part of the kit's interface.
@_exported public import JSON
@_exported public import Messages
