import PostgreSQL
import RelationalStore
import Shared

extension PostgresStoreOptions {
    /// Translates an error of the database for the layers above, in words for an operator; other errors pass unchanged.
    func explaining(_ error: any Error) -> any Error {
        guard let error = error as? PostgreSQLError else { return StoreError.translating(error) }
        let why = error.description
        switch error.kind {
        case .refusedCredentials:
            return StoreError.unavailable(
                "the server does not let the user \(settings.user) in: \(why). The password is that of the file in "
                    + "store.postgresql.passwordFile")
        case .unknownDatabase:
            return StoreError.unavailable(
                "there is no database \(settings.database): \(why). Make it with createdb --template=template0 "
                    + "--encoding=UTF8, then run gradecast migrate")
        case .connectionLost where why.contains("certificate"):
            return StoreError.unavailable(
                "the server's certificate is not accepted: \(why). It may have expired, be for another name than "
                    + "\(settings.host), or come from an authority that is not in store.postgresql.authorities")
        case .connectionLost, .shutdown: return StoreError.unavailable("the database cannot be reached: \(why)")
        case .readOnly: return StoreError.unavailable("the server only reads, as a standby does: \(why)")
        default: return StoreError.translating(error)
        }
    }
}
