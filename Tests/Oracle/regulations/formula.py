"""The grammar of formulas: words in, nested tuples out, whose first member says what they are."""

from .lexer import Mistake

FOLDS = ("sum", "mean", "median", "mode", "least", "greatest", "count")
COMPARED = ("=", "<>", "<", "<=", ">", ">=", "reaches")


class Reader:
    """The words of one declaration, read from left to right."""

    def __init__(self, tokens):
        self.tokens, self.place = tokens, 0

    # -- words

    @property
    def done(self):
        return self.place == len(self.tokens)

    def sees(self, *expected):
        """Whether these words come next."""
        ahead = self.tokens[self.place : self.place + len(expected)]
        return [token.text for token in ahead] == list(expected)

    def takes(self, *expected):
        """Whether these words come next; if so they are passed."""
        found = self.sees(*expected)
        self.place += len(expected) if found else 0
        return found

    def needs(self, *expected):
        """Passes words that must be there."""
        if not self.takes(*expected):
            raise Mistake(f"expected {expected}, found {self.rest()}")

    def rest(self):
        return " ".join(token.text for token in self.tokens[self.place : self.place + 8])

    def next(self, kind=None):
        """The next word, of that kind if one is given."""
        if self.done or (kind and self.tokens[self.place].kind != kind):
            raise Mistake(f"expected {kind}, found {self.rest()}")
        self.place += 1
        return self.tokens[self.place - 1]

    def is_kind(self, kind):
        return not self.done and self.tokens[self.place].kind == kind

    def name(self):
        return self.next("name").text

    def names(self):
        """Names between commas, each perhaps with a label."""
        result = [self.name()]
        self.label()
        while self.takes(","):
            result.append(self.name())
            self.label()
        return tuple(result)

    def number(self):
        """A number with its sign."""
        return -self.next("number").value if self.takes("-") else self.next("number").value

    def label(self):
        """`"Unit" fr "Unité" zh "单元"` by language, or nothing."""
        if not self.is_kind("text"):
            return {}
        result = {"en": self.next().value}
        while self.sees("fr") or self.sees("zh"):
            language = self.name()
            result[language] = self.next("text").value
        return result

    def unit(self):
        """`mark`, or `mark per days`."""
        first = self.name()
        return (first, self.name()) if not self.sees("per", "student") and self.takes("per") else (first,)

    # -- conditions. `bare` is the condition after a `where`: what follows it belongs to the fold.

    def formula(self):
        if self.takes("if"):
            condition = self.formula()
            self.needs("then")
            then = self.formula()
            return ("if", condition, then, self.formula() if self.takes("else") else None)
        return self.disjunction()

    def disjunction(self, bare=False):
        result = self.conjunction(bare)
        while self.takes("or"):
            result = ("or", result, self.conjunction(bare))
        return result

    def conjunction(self, bare):
        result = self.negation(bare)
        while self.takes("and"):
            result = ("and", result, self.negation(bare))
        return result

    def negation(self, bare):
        if self.takes("not"):
            return ("not", self.comparison(bare))
        return self.comparison(bare)

    def comparison(self, bare=False):
        left = self.choice(bare)
        for sign in COMPARED:
            if self.takes(sign):
                return ("compare", sign, left, self.choice(bare))
        if self.takes("is"):
            negative = self.takes("not")
            is_so = ("is", left, self.name())
            return ("not", is_so) if negative else is_so
        return left

    # -- values

    def choice(self, bare):
        result = self.sum(bare)
        while not bare and self.takes("otherwise"):
            if self.takes("ungraded"):
                result = ("ungraded", result)
            else:
                result = ("otherwise", result, self.formula() if self.sees("if") else self.sum(bare))
        return result

    def sum(self, bare):
        result = self.product(bare)
        while self.sees("+") or self.sees("-"):
            result = (self.next().text, result, self.product(bare))
        return result

    def product(self, bare):
        result = self.factor()
        while True:
            if self.sees("*") or self.sees("/"):
                result = (self.next().text, result, self.factor())
            elif not bare and self.takes("as"):
                result = ("as", result, self.name())
            elif not bare and self.takes("in"):
                result = ("in", result, self.unit())
            elif not bare and self.takes("through"):
                result = ("through", result, self.name())
            else:
                return result

    def factor(self):
        if self.takes("-"):
            return ("negative", self.factor())
        result = self.atom()
        if self.takes("missing", "as", "worst"):
            result = ("missing", result, self.comparison(bare=True) if self.takes("when") else ("truth", True))
        return result

    def atom(self):
        if self.takes("("):
            result = self.formula()
            self.needs(")")
            return result
        if self.is_kind("number"):
            value = self.next().value
            return ("share", value) if self.takes("%") else ("number", value)
        if self.is_kind("text"):
            return ("text", self.next().value)
        if self.takes("ratio"):
            self.needs("of")
            above = self.factor()
            self.needs("to")
            below = self.factor()
            self.needs("over")
            entries = self.entries()
            return ("ratio", above, below, entries, self.takes("if", "complete"))
        for word in ("every", "any", "no", "most"):
            if self.takes(word):
                return self.quantifier((word,))
        if self.takes("at", "least"):
            return self.quantifier(("at least", self.next("number").value))
        if any(self.sees(fold) for fold in FOLDS) and not self.sees("count", "."):
            return self.fold(self.name())
        return self.named()

    def named(self):
        first = self.name()
        if self.takes("("):
            arguments = [self.formula()]
            while self.takes(","):
                arguments.append(self.formula())
            self.needs(")")
            return ("call", first, *arguments)
        if self.takes("["):
            row = self.sum(False)
            self.needs(",")
            column = self.sum(False)
            self.needs("]")
            return ("cell", first, row, column)
        return ("name", first, self.name()) if self.takes(".") else ("name", None, first)

    def quantifier(self, kind):
        entries = self.entries()
        return ("quantifier", kind, entries, self.formula() if self.takes(":") else None)

    def fold(self, kind):
        of = self.formula() if self.takes("of") else None
        self.needs("over")
        entries = self.entries()
        weight = self.factor() if self.takes("weighted", "by") else None
        return ("fold", kind, of, entries, weight, self.takes("if", "complete"))

    # -- entries

    def entries(self):
        """A kind, whose it is, and the clauses in their order."""
        kind = self.name()
        owner = self.name() if self.takes("of") else None
        clauses = []
        while clause := self.clause():
            clauses.append(clause)
        return ("entries", kind, owner, tuple(clauses))

    def clause(self):
        if self.takes("where"):
            return ("where", self.disjunction(bare=True))
        if self.takes("one", "per"):
            key = self.factor()
            self.needs("by")
            return ("one per", key, self.keys())
        if self.takes("best"):
            count = self.factor()
            amount = self.factor() if self.takes("of") else None
            self.needs("by")
            if amount is not None:
                return ("best of", count, amount, self.keys())
            return ("best", count, self.keys(), self.limit())
        if self.takes("expecting"):
            return ("expecting", self.factor())
        if self.sees("without", "worst") or self.sees("without", "best"):
            self.next()
            end = self.name()
            count = self.factor()
            self.needs("by")
            keys = None if self.takes("ratio") else self.keys()
            return ("without", end, count, keys, self.name() if self.takes("sparing") else None)
        return None

    def limit(self):
        """How many of the best may be alike: the count, by what they are, and the condition or the key."""
        if not self.takes("at", "most"):
            return None
        count = self.factor()
        if self.takes("per"):
            return (count, "per", self.factor())
        self.needs("where")
        return (count, "where", self.disjunction(bare=True))

    def keys(self):
        result = [self.factor()]
        while self.takes(","):
            result.append(self.factor())
        return tuple(result)
