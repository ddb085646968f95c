extension String {
    /// The text as a terminal may show it: quoted if something in it would move the cursor or end the line.
    public var printable: String { LogLine.printable(self) }
}
