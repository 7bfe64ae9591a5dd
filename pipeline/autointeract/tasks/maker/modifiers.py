"""Modifiers: each makes one kind of bug of one syntax node, or says that it cannot.

Names follow SWE-smith's strategies; those marked ours have no counterpart there.

A modifier is a pure function `node -> wrong node | None`; it never looks at tests.
"""

from collections.abc import Callable

import libcst as cst

Modifier = Callable[[cst.CSTNode], cst.CSTNode | None]

_BINARY: dict[type[cst.BaseBinaryOp], type[cst.BaseBinaryOp]] = {
    cst.Add: cst.Subtract, cst.Subtract: cst.Add, cst.Multiply: cst.Add, cst.FloorDivide: cst.Multiply,
    cst.Divide: cst.Multiply, cst.Modulo: cst.FloorDivide, cst.Power: cst.Multiply, cst.LeftShift: cst.RightShift,
    cst.RightShift: cst.LeftShift, cst.BitAnd: cst.BitOr, cst.BitOr: cst.BitAnd, cst.BitXor: cst.BitAnd,
}  # fmt: skip
_ORDERED = (cst.Subtract, cst.Divide, cst.FloorDivide, cst.Modulo, cst.Power, cst.LeftShift, cst.RightShift)
_COMPARE: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.GreaterThanEqual, cst.GreaterThanEqual: cst.LessThan, cst.GreaterThan: cst.LessThanEqual,
    cst.LessThanEqual: cst.GreaterThan, cst.Equal: cst.NotEqual, cst.NotEqual: cst.Equal, cst.In: cst.NotIn,
    cst.NotIn: cst.In, cst.Is: cst.IsNot, cst.IsNot: cst.Is,
}  # fmt: skip
_BOUNDARY: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]] = {
    cst.LessThan: cst.LessThanEqual, cst.LessThanEqual: cst.LessThan, cst.GreaterThan: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.GreaterThan,
}  # fmt: skip
_AUGMENTED: dict[type[cst.BaseAugOp], type[cst.BaseAugOp]] = {
    cst.AddAssign: cst.SubtractAssign, cst.SubtractAssign: cst.AddAssign, cst.MultiplyAssign: cst.AddAssign,
    cst.BitOrAssign: cst.BitAndAssign,
}  # fmt: skip
_SPACE = cst.SimpleWhitespace(" ")


def op_change(node: cst.CSTNode) -> cst.CSTNode | None:
    """Another operator: `a + b` -> `a - b`, `a and b` -> `a or b`, `x += 1` -> `x -= 1`."""
    if isinstance(node, cst.BinaryOperation) and type(node.operator) in _BINARY:
        return node.with_changes(operator=_BINARY[type(node.operator)]())
    if isinstance(node, cst.BooleanOperation):
        return node.with_changes(operator=cst.Or() if isinstance(node.operator, cst.And) else cst.And())
    if isinstance(node, cst.AugAssign) and type(node.operator) in _AUGMENTED:
        return node.with_changes(operator=_AUGMENTED[type(node.operator)]())
    return None


def op_swap(node: cst.CSTNode) -> cst.CSTNode | None:
    """Operands of an ordered operator swapped: `a - b` -> `b - a`."""
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ORDERED):
        return cst.BinaryOperation(
            left=_grouped(node.right), operator=node.operator, right=_grouped(node.left), lpar=node.lpar, rpar=node.rpar
        )
    return None


def flip_operators(node: cst.CSTNode) -> cst.CSTNode | None:
    """A comparison turned round: `a < b` -> `a >= b`, `in` -> `not in`."""
    return _compared(node, _COMPARE)


def off_by_one(node: cst.CSTNode) -> cst.CSTNode | None:
    """A boundary moved by one: `a < b` -> `a <= b` (ours)."""
    return _compared(node, _BOUNDARY)


def change_const(node: cst.CSTNode) -> cst.CSTNode | None:
    """A whole number one larger: `1` -> `2`."""
    if isinstance(node, cst.Integer) and node.value.isdigit() and len(node.value) < 10:
        return node.with_changes(value=str(int(node.value) + 1))
    return None


def invert_if(node: cst.CSTNode) -> cst.CSTNode | None:
    """A condition inverted: `if a:` -> `if not a:`, `x if a else y` -> `y if a else x`."""
    if isinstance(node, cst.If):
        return node.with_changes(test=_negated(node.test), whitespace_before_test=_SPACE)
    if isinstance(node, cst.IfExp):
        return node.with_changes(body=_grouped(node.orelse), orelse=_grouped(node.body))
    return None


def remove_cond(node: cst.CSTNode) -> cst.CSTNode | None:
    """A branch removed: an `if` without `else` no longer does anything."""
    if isinstance(node, cst.If) and node.orelse is None:
        return node.with_changes(body=_pass(node.body))
    if isinstance(node, cst.If) and isinstance(node.orelse, cst.Else):
        return node.with_changes(orelse=None)
    return None


def remove_assign(node: cst.CSTNode) -> cst.CSTNode | None:
    """An update removed: `total += x` does nothing any more."""
    if isinstance(node, cst.SimpleStatementLine) and len(node.body) == 1 and isinstance(node.body[0], cst.AugAssign):
        return node.with_changes(body=[cst.Pass()])
    return None


def remove_loop(node: cst.CSTNode) -> cst.CSTNode | None:
    """A loop that ends after its first pass."""
    if isinstance(node, cst.For | cst.While) and isinstance(node.body, cst.IndentedBlock):
        stop = cst.SimpleStatementLine(body=[cst.Break()])
        return node.with_changes(body=node.body.with_changes(body=[*node.body.body, stop]))
    return None


def swap_args(node: cst.CSTNode) -> cst.CSTNode | None:
    """The first two positional arguments of a call swapped (ours)."""
    if not isinstance(node, cst.Call) or len(node.args) < 2:
        return None
    first, second = node.args[:2]
    if any(arg.keyword or arg.star for arg in (first, second)) or first.value.deep_equals(second.value):
        return None
    swapped = [first.with_changes(value=second.value), second.with_changes(value=first.value)]
    return node.with_changes(args=[*swapped, *node.args[2:]])


MODIFIERS: dict[str, Modifier] = {
    "func_pm_op_change": op_change,
    "func_pm_op_swap": op_swap,
    "func_pm_flip_operators": flip_operators,
    "func_pm_off_by_one": off_by_one,
    "func_pm_op_change_const": change_const,
    "func_pm_ctrl_invert_if": invert_if,
    "func_pm_remove_cond": remove_cond,
    "func_pm_remove_assign": remove_assign,
    "func_pm_remove_loop": remove_loop,
    "func_pm_swap_args": swap_args,
}


def _compared(node: cst.CSTNode, table: dict[type[cst.BaseCompOp], type[cst.BaseCompOp]]) -> cst.CSTNode | None:
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return None
    target = node.comparisons[0]
    if type(target.operator) not in table:
        return None
    return node.with_changes(comparisons=[target.with_changes(operator=table[type(target.operator)]())])


def _negated(test: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return test.expression
    return cst.UnaryOperation(operator=cst.Not(), expression=_grouped(test))


def _grouped(node: cst.BaseExpression) -> cst.BaseExpression:
    plain = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float, cst.SimpleString)
    if isinstance(node, plain) or node.lpar:
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _pass(body: cst.BaseSuite) -> cst.BaseSuite:
    if isinstance(body, cst.IndentedBlock):
        return body.with_changes(body=[cst.SimpleStatementLine(body=[cst.Pass()])])
    return cst.SimpleStatementSuite(body=[cst.Pass()])
