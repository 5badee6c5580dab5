// Functions as others than tree-sitter have them: Universal Ctags for C, Python's own ast, and the
// TypeScript compiler. Each is { name, line, end, starts? }: the line of its name, its last line,
// and the lines it may be said to begin at.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { codeFolder } from './corpora.mjs'

const run = (command, args, files) =>
  execFileSync(command, args, {
    cwd: codeFolder,
    input: `${files.join('\n')}\n`,
    maxBuffer: 2 ** 30,
    env: { ...process.env, PYTHONWARNINGS: 'ignore' },
  })
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

/** The functions of each file that the reference can read, by its path from the root. */
export const references = {
  c(files) {
    const flags = ['--output-format=json', '--fields=+ne', '--kinds-C=f', '--language-force=C']
    const found = new Map(files.map((file) => [file, []]))
    for (const { path, name, line, end } of run('ctags', [...flags, '-f', '-', '-L', '-'], files))
      if (end) found.get(path).push({ name, line, end })
    return found
  },
  python(files) {
    const of = ([name, first, line, end]) => ({ name, line, end, starts: [first, line] })
    return new Map(pythonFacts(files).map(([file, { functions }]) => [file, functions.map(of)]))
  },
  javascript: (files) => new Map(files.map((file) => [file, functionsOf(typescriptTree(file))])),
}

/** Facts of python-facts.py, of each file that Python can parse. */
export function pythonFacts(files, ...flags) {
  const script = fileURLToPath(new URL('python-facts.py', import.meta.url))
  return run('python3', [script, ...flags], files)
}

export const typescriptTree = (file) =>
  ts.createSourceFile(
    file,
    readFileSync(join(codeFolder, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )

const { SyntaxKind } = ts
const named = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
  SyntaxKind.FunctionExpression,
])

/** `a: () => a` only hands a name on. */
const isHandedOn = ({ body }) =>
  ts.isIdentifier(body) || (ts.isPropertyAccessExpression(body) && !ts.isCallExpression(body))

function functionsOf(source) {
  const functions = []
  const lineOf = (offset) => source.getLineAndCharacterOfPosition(offset).line + 1
  const add = (name, node, holders) =>
    functions.push({
      name: name.replace(/^(['"])(.*)\1$/, '$2'),
      line: lineOf(node.getStart()),
      end: lineOf(node.getEnd() - 1),
      starts: [node, ...holders].map((holder) => lineOf(holder.getStart())),
    })
  const visit = (node) => {
    if (named.has(node.kind) && node.body && (node.name || ts.isConstructorDeclaration(node)))
      add(node.name?.getText() ?? 'constructor', node, [])
    else if ((ts.isFunctionExpression(node) || ts.isArrowFunction(node)) && !isHandedOn(node)) {
      const { parent } = node
      const isValue = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
      if (isValue && parent.initializer === node)
        add(parent.name.getText(), node, [
          parent,
          ...(ts.isVariableDeclaration(parent) ? [parent.parent.parent] : []),
        ])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return functions
}
