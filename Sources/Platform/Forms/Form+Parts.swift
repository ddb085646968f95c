import JSON
import Messages

extension Form {
    /// Reads an object as a separate form, whose faults name the full path. Without the object nothing is read.
    public mutating func part(_ name: String, _ read: (inout Form) -> Void) {
        if isDescribing {
            var inner = Form.describing()
            read(&inner)
            _ = object(name, as: inner.schema)
            return
        }
        guard let object = object(name) else { return }
        var inner = Form(.object(object), at: path + JSONPointer.step(name))
        read(&inner)
        close(inner)
    }

    /// Reads an array of objects, each as a separate form, whose faults name the full path; `nil` without the array. An
    /// element is left out if `read` finds no value in it.
    public mutating func parts<Value>(
        _ name: String, most limit: Int? = nil, _ read: (inout Form) -> Value?
    ) -> [Value]? {
        if isDescribing {
            var inner = Form.describing()
            _ = read(&inner)
            _ = array(name, of: inner.schema, most: limit)
            return nil
        }
        guard let elements = array(name, most: limit) else { return nil }
        return elements.enumerated().compactMap { index, element in
            var inner = Form(element, at: path + JSONPointer.step(name) + JSONPointer.step(index))
            let value = read(&inner)
            close(inner)
            return value
        }
    }
}
