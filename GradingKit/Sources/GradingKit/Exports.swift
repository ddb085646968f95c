// A scheme imports the kit and nothing else; JSON and texts are part of what its interface speaks.
@_exported public import JSON
@_exported public import Messages
