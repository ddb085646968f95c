import Configuration
import DataStore
import Shared

extension ServerConfiguration {
    /// An outdated short name by which the configuration refers to an institution.
    struct FormerName {
        /// The short name in the configuration.
        let former: String
        /// The institution's current short name.
        let now: String
    }

    /// Returns the former short names in the configuration, sorted. They still refer to their institutions, because no
    /// other institution ever gets them.
    ///
    /// - Throws: ``Failure`` if the store cannot be read.
    func formerNames(over stores: any DataStoreFactory) throws -> [FormerName] {
        do {
            return try institutionNames.sorted().compactMap { name in
                guard let found = try stores.institution(named: name), found.slug != name, found.id.text != name
                else { return nil }
                return FormerName(former: name, now: found.slug)
            }
        } catch let error as StoreError {
            throw Failure("\(stores.place): \(error.explanation)")
        }
    }
}
