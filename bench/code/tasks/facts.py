"""Definitions and calls of files, one JSON line a file: Python by its own ast, C and C++ by libclang.

python3 facts.py ROOT FILE...   (libclang from `pip install libclang`; without it C has no calls)
"""

import ast
import json
import subprocess
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


def clang_calls(path, root):
    import clang.cindex as clang

    found = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True).stdout.strip()
    args = [f"-I{root}/{folder}" for folder in ("", "include", "src")] + [f"-isystem{found}", "-DHAVE_CONFIG_H=0"]
    if path.endswith((".cc", ".cpp", ".h")):
        args = ["-x", "c++", "-std=c++17", *args]
    tree = clang.Index.create().parse(path, args=args)
    tops = (top for top in tree.cursor.get_children() if top.location.file and top.location.file.name == path)
    mine = (node for top in tops for node in top.walk_preorder())
    kinds = (clang.CursorKind.CALL_EXPR, clang.CursorKind.OVERLOADED_DECL_REF)
    return dict(defs=[], calls=sorted({(node.spelling, node.location.line) for node in mine if node.kind in kinds}))


root, *files = sys.argv[1:]
for file in files:
    path = f"{root}/{file}"
    facts = python_facts(path) if file.endswith(".py") else clang_calls(path, root)
    print(json.dumps(dict(file=file, **facts)))
