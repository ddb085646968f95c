private import CUnistring

extension Unicode.Scalar {
    /// The name of the script that the code point belongs to (Unicode, UAX 24), such as `Latin` or `Han`; `Common` for
    /// characters that all scripts share, `Inherited` for marks that take the script of their base, `nil` if it is
    /// unassigned.
    public var script: String? {
        guard let name = gradecast_script(value) else { return nil }
        return String(cString: name)
    }
}
