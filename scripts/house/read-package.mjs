import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/** Source folders of a package. */
const sourceFolders = ['src', 'server', 'web']

/**
 * The source files of a package: paths, lines, functions and imports between them.
 *
 * `import type` counts like any other import, and so do `export … from` and `import()`.
 */
export function readPackage(path) {
  const names = sourceFiles(path)
  const known = new Set(names)
  return names.map((name) => {
    const text = readFileSync(join(path, name), 'utf8')
    const { program, module, comments, errors } = parseSync(name, text)
    if (errors.length > 0) throw new Error(`${path}/${name} cannot be parsed: ${errors[0].message}`)
    const imports = specifiersOf(module, text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(name), specifier))
      .filter((imported) => known.has(imported))
    return {
      name,
      lines: text.split('\n').length - 1,
      kinds: kindsOfLines(text, program, comments),
      functions: functionsOf(program, text),
      imports: [...new Set(imports)],
    }
  })
}

/** The paths of the source files of a package, from its folder. */
export const sourceFiles = (path) =>
  sourceFolders.flatMap((folder) => filesIn(join(path, folder), folder))

function filesIn(folder, prefix) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.d)\.tsx?$/.test(name) && !name.includes('node_modules'))
      .map((name) => join(prefix, name))
      .sort()
  } catch {
    return []
  }
}

function specifiersOf({ staticImports, staticExports, dynamicImports }, text) {
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ]
}

const typeDeclarations = new Set(['TSInterfaceDeclaration', 'TSTypeAliasDeclaration'])

/**
 * Lines by what they hold: blank lines, whole lines of comments, imports with `export … from`,
 * declarations of types, and statements, which are all others.
 */
function kindsOfLines(text, { body }, comments) {
  const lineOf = lineFinder(text)
  const kinds = text.split('\n').map((line) => (line.trim() === '' ? 'blanks' : 'statements'))
  const mark = ({ start, end }, kind) => {
    for (let line = lineOf(start); line <= lineOf(end - 1); line++)
      if (kinds[line - 1] === 'statements') kinds[line - 1] = kind
  }
  for (const comment of comments) {
    const begin = text.lastIndexOf('\n', comment.start) + 1
    if (text.slice(begin, comment.start).trim() === '') mark(comment, 'comments')
  }
  for (const node of body) {
    const { declaration, source } = node
    if (node.type === 'ImportDeclaration' || source) mark(node, 'imports')
    else if (typeDeclarations.has((declaration ?? node).type)) mark(node, 'types')
  }
  const counts = { statements: 0, comments: 0, blanks: 0, imports: 0, types: 0 }
  for (const kind of kinds.slice(0, -1)) counts[kind]++
  return counts
}

/** Maps an offset of a text to its line, from 1. */
function lineFinder(text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

/** Nodes at which the control flow divides. */
const branching = [
  ...['IfStatement', 'ConditionalExpression', 'LogicalExpression', 'CatchClause'],
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'],
]

/** Name, lines and branches of each function, method or arrow function with a body. */
function functionsOf(program, text) {
  const lineOf = lineFinder(text)
  const functions = []
  const open = []
  const names = new Map()
  const nameBy = (key, value) => {
    if (value) names.set(value.start, text.slice(key.start, key.end))
  }
  const enter = (node) => {
    const line = lineOf(node.start)
    const name = node.id?.name ?? names.get(node.start) ?? '(anonymous)'
    open.push({ name, line, lines: lineOf(node.end) - line + 1, branches: 0 })
  }
  const leave = ({ body }) => {
    const left = open.pop()
    if (body) functions.push(left)
  }
  const branch = () => {
    const inner = open.at(-1)
    if (inner) inner.branches++
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameBy(id, init),
    Property: ({ key, value }) => nameBy(key, value),
    PropertyDefinition: ({ key, value }) => nameBy(key, value),
    MethodDefinition: ({ key, value }) => nameBy(key, value),
    ...Object.fromEntries(branching.map((type) => [type, branch])),
    SwitchCase: ({ test }) => test && branch(),
    ...Object.fromEntries(
      ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].flatMap((type) => [
        [type, enter],
        [`${type}:exit`, leave],
      ]),
    ),
  }).visit(program)
  return functions
}
