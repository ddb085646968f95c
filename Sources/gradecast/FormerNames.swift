import Configuration
import DataStore
import Shared

extension ServerConfiguration {
    /// A short name by which the configuration names an institution that has another one by now.
    struct FormerName {
        /// The short name in the configuration.
        let former: String
        /// The institution's short name.
        let now: String
    }

    /// Returns the former short names in the configuration, sorted. They go on meaning their institutions, because no
    /// other one ever gets them.
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
