import HTTP

/// In this module a status is what a response has, not what an entry has.
typealias Status = HTTP.Status
