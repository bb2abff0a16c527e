"""Print the size of the source code: statements, files per folder, long signatures, large protocols.

`python -m bench.codebase [FOLDER]` counts the Python files below FOLDER, `src/headwater` if none is given.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)
INDIRECT_OPENINGS = ("what ", "whether ", "where ", "how ", "who ", "which ")
LARGEST = 10


def main() -> None:
    """Count and print."""
    root = Path(sys.argv[1] if len(sys.argv) > 1 else "src/headwater")
    trees = {path: ast.parse(path.read_text()) for path in sorted(root.rglob("*.py"))}
    lines = [
        f"files                    {len(trees):,}",
        f"statements               {sum(map(count_statements, trees.values())):,}",
        f"largest folders          {listed(count_files(root, list(trees)))}",
        f"longest signatures       {listed(count_parameters(trees))}",
        f"largest protocols        {listed(count_protocol_methods(trees))}",
        f"docstrings               {describe_docstrings(list(trees.values()))}",
    ]
    sys.stdout.write("\n".join(lines) + "\n")


def count_statements(tree: ast.Module) -> int:
    """Count the statements of a file, without docstrings and other bare strings."""
    return sum(isinstance(node, ast.stmt) and not is_bare_string(node) for node in ast.walk(tree))


def is_bare_string(node: ast.stmt) -> bool:
    """Return True for a statement that is a string alone: a docstring, or text below a constant."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def count_files(root: Path, paths: list[Path]) -> Counter[str]:
    """Count the Python files of each folder."""
    return Counter(str(path.parent.relative_to(root.parent)) for path in paths)


def count_parameters(trees: dict[Path, ast.Module]) -> Counter[str]:
    """Count the parameters of each function, without `self`."""
    counts: Counter[str] = Counter()
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, FUNCTIONS):
                arguments = node.args
                parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
                counts[f"{path.stem}.{node.name}"] = len([one for one in parameters if one.arg != "self"])
    return counts


def count_protocol_methods(trees: dict[Path, ast.Module]) -> Counter[str]:
    """Count the methods of each protocol."""
    counts: Counter[str] = Counter()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and any(ast.unparse(base) == "Protocol" for base in node.bases):
                counts[node.name] = sum(isinstance(child, FUNCTIONS) for child in node.body)
    return counts


def describe_docstrings(trees: list[ast.Module]) -> str:
    """Count docstrings, and those that open with a question word instead of a verb or a noun."""
    texts = [
        ast.get_docstring(node) or ""
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node)
    ]
    indirect = sum(text.lower().startswith(INDIRECT_OPENINGS) for text in texts)
    return f"{len(texts):,}, {indirect} ({indirect / len(texts):.1%}) open with what, whether, where, how, who or which"


def listed(counts: Counter[str]) -> str:
    """Write the largest counts on one line."""
    return ", ".join(f"{name} {count}" for name, count in counts.most_common(LARGEST))


if __name__ == "__main__":
    main()
