import GradingKit

/// Checks curves. Values go `through` them as through bands.
extension Checker {
    /// Declares curves. A curve that both rises and falls has a fault at its turning point.
    func declareCurves() {
        for curve in document.curves {
            attempt(declaring: curve.heading.name) { () throws(Stop) in
                let name = curve.heading.name
                guard curve.points.count > 1 else { throw stop(.curveTooShort, name.range) }
                let points = curve.points.map { Curve.Point(from: $0.from, to: $0.to) }
                guard let made = Curve(points) ?? Curve(points.reversed()) else {
                    throw stop(.curveTurns, curve.place(ofTurn: points))
                }
                curves[name.text] = CurveModel(curve: made, from: dimension(curve.from), to: dimension(curve.to))
            }
        }
    }

    /// A value read off a curve. With a better grade it rises or falls as the curve does.
    func along(
        _ curve: CurveModel, _ value: NumberValue, _ name: Formula.Word, at range: Range<Int>, _ scope: Scope,
        _ links: inout [ChainLink]
    ) throws(Stop) -> NumberValue {
        note(name, as: .bands)
        try countWork(scope.visits * Double(curve.curve.points.count), at: name.range)
        noteAmount(in: curve.from)
        noteAmount(in: curve.to)
        let value = value.beside(curve.from)
        if let unit = value.dimension, unit != curve.from {
            throw stop(.curveUnit, range, ["unit": Self.named(curve.from), "found": Self.named(unit)])
        }
        let read = curve.curve
        links.append(ChainLink(.constant(0)) { value, _ in read(value) })
        return NumberValue(value.code, curve.to, curve.range, read.rises ? value.trend : value.trend.reversed)
    }
}

extension RegulationDocument.CurveTable {
    /// The first line that changes the direction of the lines before it.
    fileprivate func place(ofTurn points: [Curve.Point]) -> Range<Int> {
        for count in points.indices.dropFirst() {
            let start = Array(points[...count])
            if Curve(start) == nil, Curve(start.reversed()) == nil { return self.points[count].range }
        }
        return heading.name.range
    }
}
