extension String {
    /// The text as a terminal may show it: if something in it would move the cursor or end the line, it is quoted.
    public var printable: String { LogLine.printable(self) }
}
