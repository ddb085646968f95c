import Classes
import Shared
import Synchronization

/// The structures of classes that were read lately, so that not every act and every reader of a class parses its text
/// again. The text is compared, so what is remembered cannot be out of date.
enum StructureMemory {
    private struct Known {
        let text: [UInt8]
        let structure: ClassStructure
    }

    /// How many bytes a structure takes in memory for each byte of its text, about.
    private static let weight = 8

    private static let known = Mutex(BoundedMemory<ClassID, Known>(capacity: 16 << 20))

    /// Returns the structure that the stored text of a class says; `nil` for a text that cannot be read.
    static func structure(_ text: [UInt8], of taught: ClassID) -> ClassStructure? {
        if let found = known.withLock({ $0.value(for: taught) }), found.text == text { return found.structure }
        guard let structure = ClassStructure(text: text) else { return nil }
        known.withLock {
            $0.keep(Known(text: text, structure: structure), for: taught, bytes: text.count * (1 + weight))
        }
        return structure
    }
}
