package import Database
package import Shared

extension StoreError {
    /// Translates an error of the database for the layers above; other errors pass unchanged.
    package static func translating(_ error: any Error) -> any Error {
        DatabaseFault(error).map { StoreError($0) } ?? error
    }

    /// Creates the error that callers see of a fault.
    package init(_ fault: DatabaseFault) {
        self =
            switch fault.kind {
            case .noRoom: .full
            case .damaged: .incompatible(fault.description)
            case .duplicate(let column): .taken(field: column)
            case .other: .unavailable(fault.description)
            }
    }
}
