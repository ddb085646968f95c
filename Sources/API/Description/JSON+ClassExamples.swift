import GradingKit

// Examples of requests about classes.

extension JSON {
    /// The example of a new weight.
    static let structureChanges: JSON = [
        "changes": [
            ["op": "patch", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11", "fields": ["weight": 50]]
        ]
    ]
    /// The example of a result in a cell that was empty.
    static let rowPatch: JSON = [
        "cells": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11": ["was": ["value": nil], "value": 17]]
    ]
    /// Another result, tried.
    static let rowPreview: JSON = ["cells": ["01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11": ["value": 17]]]
    /// Another result in a closed class.
    static let correctionInput: JSON = [
        "cells": [
            [
                "row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 17,
            ]
        ],
        "reason": "Page 4 was not marked",
    ]
    /// A total beside the computed one.
    static let overrideInput: JSON = [
        "rows": [["row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11", "figures": ["grade": "85"], "was": ["grade": nil]]],
        "reason": "Oral examination",
    ]
    /// Two results.
    static let cellsInput: JSON = [
        "cells": [
            [
                "row": "01994c5e-1111-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 17,
            ],
            [
                "row": "01994c5e-2222-7c4c-8b1e-2f6d1c1f7c11", "line": "01994c5e-0c5b-7c4c-8b1e-2f6d1c1f7c11",
                "value": 12,
            ],
        ]
    ]
}
