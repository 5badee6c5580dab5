"""What Python itself says of files named on stdin, a line of JSON for each that it can parse:
functions as [name, first line with decorators, line of its name, last line]; with --cuts also
statements as [first line, last line], lines on which a token begins, and lines within a token."""
import ast
import io
import json
import sys
import tokenize

BLANK = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
         tokenize.ENCODING, tokenize.ENDMARKER}


def first_line(node):
    return min([node.lineno, *(item.lineno for item in getattr(node, 'decorator_list', []))])


def facts(source, with_cuts):
    nodes = list(ast.walk(ast.parse(source)))
    functions = [[node.name, first_line(node), node.lineno, node.end_lineno] for node in nodes
                 if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not with_cuts:
        return {'functions': functions}
    begins, within = set(), set()
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        within.update(range(token.start[0] + 1, token.end[0] + 1))
        if token.type not in BLANK:
            begins.add(token.start[0])
    units = (ast.stmt, ast.ExceptHandler, ast.match_case)
    statements = [[first_line(node), node.end_lineno] for node in nodes
                  if isinstance(node, units) and hasattr(node, 'lineno')]
    return {'functions': functions, 'statements': statements, 'begins': sorted(begins),
            'within': sorted(within)}


for name in sys.stdin.read().splitlines():
    with open(name, 'rb') as file:
        content = file.read()
    try:
        print(json.dumps([name, facts(content, '--cuts' in sys.argv)]))
    except (SyntaxError, ValueError):
        pass
