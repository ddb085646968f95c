public import GradingKit

/// The angle by which the colours of the drawn avatar are turned: 0…360 degrees in steps of 0.1, kept exactly.
public struct AvatarHue: Sendable, Hashable {
    /// Tenths of a degree, 0…3,600.
    public let tenths: Int

    /// Not turned.
    public static let zero = AvatarHue(tenths: 0)

    /// That many tenths of a degree; beyond the range its end.
    public init(tenths: Int) { self.tenths = min(max(tenths, 0), 3_600) }

    /// Reads a number, or its text; throws what is wrong with it, with paths relative to the value.
    public init(_ json: JSON) throws(FaultList) {
        let text: String
        switch json {
        case .number(let written), .string(let written): text = written
        default: throw FaultList([Fault(.wrongType, ["expected": "number"])])
        }
        guard let decimal = DecimalText(text, allowsExponent: true) else { throw FaultList([Fault(.notANumber)]) }
        guard decimal.decimals <= 1 else { throw FaultList([Fault(.tooPrecise)]) }
        guard let tenths = (decimal.value * 10).integer, (0...3_600).contains(tenths) else {
            throw FaultList([Fault(.outOfRange, ["min": 0, "max": 360])])
        }
        self.tenths = tenths
    }

    /// The shortest decimal: `210`, `12.5`.
    public var text: String { tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)" }
}
