/// The parts of a workbook of one sheet, as the archive holds them. Source: ECMA-376, part 1.
enum Parts {
    /// The path of the sheet, the only part that differs between workbooks, apart from the sheet's name.
    static let sheet = "xl/worksheets/sheet1.xml"

    private static let head = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"# + "\n"
    private static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    private static let packages = "http://schemas.openxmlformats.org/package/2006"
    private static let types = "application/vnd.openxmlformats-officedocument.spreadsheetml"

    /// Every part but the sheet, with its path.
    static func all(sheet name: String) -> [(path: String, content: String)] {
        [
            (
                "[Content_Types].xml",
                head + """
                    <Types xmlns="\(packages)/content-types">\
                    <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
                    <Default Extension="xml" ContentType="application/xml"/>\
                    <Override PartName="/xl/workbook.xml" ContentType="\(types).sheet.main+xml"/>\
                    <Override PartName="/xl/styles.xml" ContentType="\(types).styles+xml"/>\
                    <Override PartName="/\(sheet)" ContentType="\(types).worksheet+xml"/></Types>
                    """
            ),
            ("_rels/.rels", relations([("officeDocument", "xl/workbook.xml")])),
            (
                "xl/workbook.xml",
                head + """
                    <workbook xmlns="\(main)" xmlns:r="\(office)"><sheets>\
                    <sheet name="\(String(decoding: XMLText.content(name), as: UTF8.self))" sheetId="1" r:id="rId1"/>\
                    </sheets></workbook>
                    """
            ),
            (
                "xl/_rels/workbook.xml.rels",
                relations([("worksheet", "worksheets/sheet1.xml"), ("styles", "styles.xml")])
            ),
            ("xl/styles.xml", styles),
        ]
    }

    /// The content of the sheet before its rows.
    static func sheetStart(_ columns: Int, _ rows: Int) -> String {
        let corner = WorkbookWriter.letters(columns) + String(rows + 1)
        return head + """
            <worksheet xmlns="\(main)"><sheetViews><sheetView tabSelected="1" workbookViewId="0">\
            <pane xSplit="\(columns)" ySplit="\(rows)" topLeftCell="\(corner)" activePane="bottomRight" state="frozen"/>\
            </sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>\
            <cols><col min="1" max="\(columns)" width="18" customWidth="1"/></cols><sheetData>
            """
    }

    private static func relations(_ targets: [(type: String, path: String)]) -> String {
        let items = targets.enumerated().map { index, target in
            #"<Relationship Id="rId\#(index + 1)" Type="\#(office)/\#(target.type)" Target="\#(target.path)"/>"#
        }
        return head + #"<Relationships xmlns="\#(packages)/relationships">"# + items.joined() + "</Relationships>"
    }

    /// Three formats: plain, bold for headings, and text. Texts in the last two stay texts when a person edits them,
    /// even if they begin like a formula.
    private static let styles =
        head + """
            <styleSheet xmlns="\(main)"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>\
            <font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
            <fills count="2"><fill><patternFill patternType="none"/></fill>\
            <fill><patternFill patternType="gray125"/></fill></fills>\
            <borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
            <cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
            <cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
            <xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" quotePrefix="1"/>\
            <xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/></cellXfs>\
            <cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>
            """
}
