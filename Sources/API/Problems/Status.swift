import HTTP

/// In this module `Status` means the status of a response, not of an entry.
typealias Status = HTTP.Status
