"""Definitions and calls of Python files by its own ast, one JSON line a file: facts.py ROOT FILE..."""

import ast
import json
import sys


def python_facts(path):
    tree = ast.parse(open(path, encoding="utf-8").read())
    defs, calls = [], []

    def visit(node, scope):
        inner = scope
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            is_class = isinstance(node, ast.ClassDef)
            bases = [last_name(base) for base in node.bases] if is_class else []
            add(node, node.name, "class" if is_class else "function", scope, bases)
            inner = [*scope, node.name]
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in getattr(node, "targets", None) or [node.target]:
                if isinstance(target, ast.Name):
                    add(node, target.id, "value", scope, [])
        elif isinstance(node, ast.Call):
            calls.append([last_name(node.func), node.lineno])
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    def add(node, name, kind, scope, bases):
        defs.append(dict(name=name, kind=kind, line=node.lineno, end=node.end_lineno, scope=".".join(scope), bases=bases))

    def last_name(node):
        while isinstance(node, ast.Subscript):
            node = node.value
        return getattr(node, "attr", None) or getattr(node, "id", "")

    visit(tree, [])
    return dict(defs=defs, calls=calls)


root, *files = sys.argv[1:]
for file in files:
    print(json.dumps(dict(file=file, **python_facts(f"{root}/{file}"))))
