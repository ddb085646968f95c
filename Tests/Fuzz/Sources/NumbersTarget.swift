import GradingKit

/// Numbers keep their value through text, and obey the laws of arithmetic exactly.
@Sendable func fuzzNumbers(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let numbers = text.split(separator: " ", maxSplits: 3).compactMap { part in
        DecimalText(part, allowsComma: true, allowsExponent: true)?.value ?? Exact(ratio: String(part))
    }
    for number in numbers {
        promise(Exact(ratio: number.description) == number, "\(number) is read as another")
        if let decimal = number.decimalText, decimal.utf8.count <= 200 {
            promise(DecimalText(decimal)?.value == number, "\(number) is written as \(decimal)")
        }
        promise((number - number).isZero, "\(number) differs from itself")
    }
    guard numbers.count >= 2 else { return }
    let (a, b, c) = (numbers[0], numbers[1], numbers.last ?? numbers[0])
    promise(a + b == b + a && a * b == b * a, "the order decides")
    promise((a + b) - b == a, "\(a) + \(b) - \(b)")
    promise(a * (b + c) == a * b + a * c, "\(a) · (\(b) + \(c))")
    promise((a < b) == (b > a) && (a < b || b < a || a == b), "\(a) and \(b) are not in order")
}
