extension FaultCode {
    /// A kind that the shape does not know, or that does not stand at this place.
    public static let wrongKind: FaultCode = "wrong_kind"
    /// Fewer children of a kind than the shape asks for.
    public static let missingChild: FaultCode = "missing_child"
    /// An entry that the record does not have.
    public static let entryNotFound: FaultCode = "entry_not_found"
    /// A number that can be read in two ways, such as `1,000`.
    public static let ambiguousNumber: FaultCode = "ambiguous_number"
    /// A student would change or delete what staff entered.
    public static let enteredByStaff: FaultCode = "entered_by_staff"
    /// An entry that stands for a row of a class is changed in the class alone.
    public static let classEntry: FaultCode = "class_entry"
    /// Entries of this kind cannot stand for rows of classes.
    public static let notMountable: FaultCode = "not_mountable"
    /// A scale whose lower bounds do not decrease.
    static let bandsNotDecreasing: FaultCode = "bands_not_decreasing"
    /// A scale on which lower values are better, and whose upper bounds do not increase.
    static let bandsNotIncreasing: FaultCode = "bands_not_increasing"
    /// Two bands of one label.
    static let duplicateLabel: FaultCode = "duplicate_label"
    /// A rounding step given twice over.
    static let scaleAndStep: FaultCode = "scale_and_step"
    /// A range that reaches into the better one's.
    static let bandsOverlap: FaultCode = "bands_overlap"
    /// A band that is worth more than a better one.
    static let pointsRise: FaultCode = "points_rise"
    /// A label that cannot be read as it is written.
    static let labelUnreadable: FaultCode = "label_unreadable"
    /// A range that was read as the bound of a band.
    static let rangeRead: FaultCode = "range_read"
    /// A bound at which what is shown contradicts what is judged.
    static let displayContradicts: FaultCode = "display_contradicts"
}
