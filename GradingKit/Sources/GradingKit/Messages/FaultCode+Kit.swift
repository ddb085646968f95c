extension FaultCode {
    /// A kind that is unknown to the shape or not allowed at this place.
    public static let wrongKind: FaultCode = "wrong_kind"
    /// An entry has fewer children of a kind than the shape requires.
    public static let missingChild: FaultCode = "missing_child"
    /// The record does not have the entry.
    public static let entryNotFound: FaultCode = "entry_not_found"
    /// A number that can be read in two ways, such as `1,000`.
    public static let ambiguousNumber: FaultCode = "ambiguous_number"
    /// A student tried to change or delete what staff entered.
    public static let enteredByStaff: FaultCode = "entered_by_staff"
    /// The entry stands for a row of a class and can only be changed in the class.
    public static let classEntry: FaultCode = "class_entry"
    /// The author of the change may not give figures and outcomes.
    public static let givingNotAllowed: FaultCode = "giving_not_allowed"
    /// People gave more figures and outcomes in one record than it may hold.
    public static let givenLimit: FaultCode = "given_limit"
    /// The scheme runs in a process of its own, which takes no figures and outcomes from people.
    public static let notSupported: FaultCode = "not_supported"
    /// The computed value has changed since a person gave another one.
    public static let givenOutdated: FaultCode = "given_outdated"
    /// Entries of one kind are nested too deeply.
    public static let tooDeep: FaultCode = "too_deep"
    /// A copy of an earlier record is taken or removed as a whole.
    public static let earlierEntry: FaultCode = "earlier_entry"
    /// Reason: no earlier record was taken.
    public static let noEarlier: FaultCode = "no_earlier"
    /// Reason: the earlier record has no such value.
    public static let notInEarlier: FaultCode = "not_in_earlier"
    /// Entries of this kind cannot stand for rows of classes.
    public static let notMountable: FaultCode = "not_mountable"
    /// A scale whose lower bounds do not decrease.
    static let bandsNotDecreasing: FaultCode = "bands_not_decreasing"
    /// A scale on which lower values are better, and whose upper bounds do not increase.
    static let bandsNotIncreasing: FaultCode = "bands_not_increasing"
    /// Two bands have the same label.
    static let duplicateLabel: FaultCode = "duplicate_label"
    /// A rounding is given both as `scale` and as `step`.
    static let scaleAndStep: FaultCode = "scale_and_step"
    /// A range overlaps that of a better band.
    static let bandsOverlap: FaultCode = "bands_overlap"
    /// A band has more points than a better one.
    static let pointsRise: FaultCode = "points_rise"
    /// A label contains characters that are not readable as written.
    static let labelUnreadable: FaultCode = "label_unreadable"
    /// A note on how a range was read as the bound of a band.
    static let rangeRead: FaultCode = "range_read"
    /// At a bound, the displayed value contradicts the judgement.
    static let displayContradicts: FaultCode = "display_contradicts"
}
