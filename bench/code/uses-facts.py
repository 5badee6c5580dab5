"""What jedi says of the names of a folder, a line of JSON each: file, path, and its uses as
`file:line`, without definitions and imports. Usage: uses-facts.py ROOT COUNT FILE…; of functions,
classes and values at the top, and of methods, every n-th, COUNT of each."""
import ast
import json
import os
import sys

import jedi
import jedi.inference.references as limits

limits._PARSED_FILE_LIMIT = limits._OPENED_FILE_LIMIT = 100_000
root, count, *files = sys.argv[1:]
SKIPPED = (ast.Import, ast.ImportFrom)
standard = [path for path in jedi.get_default_environment().get_sys_path() if 'packages' not in path]
project = jedi.Project(root, sys_path=[os.path.join(root, 'src'), root, *standard])
imports, tops, methods = {}, [], []


def imports_of(path):
    """The lines of import statements."""
    if path not in imports:
        with open(path, 'rb') as file:
            nodes = [node for node in ast.walk(ast.parse(file.read())) if isinstance(node, SKIPPED)]
        imports[path] = {line for node in nodes for line in range(node.lineno, node.end_lineno + 1)}
    return imports[path]


for file in files:
    try:
        script = jedi.Script(path=os.path.join(root, file), project=project)
        for name in script.get_names():
            if name.name.startswith('__') or name.line in imports_of(os.path.join(root, file)):
                continue
            is_value = name.type == 'statement' and not name.description.startswith('for ')
            if is_value or name.type in ('function', 'class'):
                tops.append((file, name.name, name))
            if name.type == 'class':
                methods += [(file, f'{name.name}/{inner.name}', inner)
                            for inner in name.defined_names()
                            if inner.type == 'function' and not inner.name.startswith('__')]
    except Exception as error:
        print(f'{file}: {error!r}', file=sys.stderr)
for kind, some in (('top', tops), ('member', methods)):
    for file, path, name in some[::max(1, -(-len(some) // int(count)))]:
        try:
            script = jedi.Script(path=os.path.join(root, file), project=project)
            uses = sorted({
                f'{os.path.relpath(use.module_path, root)}:{use.line}'
                for use in script.get_references(name.line, name.column)
                if use.module_path and str(use.module_path).startswith(root + os.sep)
                and not use.is_definition() and use.line not in imports_of(use.module_path)})
            print(json.dumps({'kind': kind, 'file': file, 'path': path, 'uses': uses}))
        except Exception as error:
            print(f'{file}#{path}: {error!r}', file=sys.stderr)
