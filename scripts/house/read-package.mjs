import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'

/** Source folders of a package. */
const sourceFolders = ['src', 'web']

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
    const { program, module, errors } = parseSync(name, text)
    if (errors.length > 0) throw new Error(`${path}/${name} cannot be parsed: ${errors[0].message}`)
    const imports = specifiersOf(module, text)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => join(dirname(name), specifier))
      .filter((imported) => known.has(imported))
    return {
      name,
      lines: text.split('\n').length - 1,
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

/** Lines and name of each function, method or arrow function with a body. */
function functionsOf(program, text) {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const lineOf = (offset) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }
  const functions = []
  const names = new Map()
  const nameBy = (key, value) => {
    if (value) names.set(value.start, text.slice(key.start, key.end))
  }
  const add = (node) => {
    if (!node.body) return
    const line = lineOf(node.start)
    const name = node.id?.name ?? names.get(node.start) ?? '(anonymous)'
    functions.push({ name, line, lines: lineOf(node.end) - line + 1 })
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => nameBy(id, init),
    Property: ({ key, value }) => nameBy(key, value),
    PropertyDefinition: ({ key, value }) => nameBy(key, value),
    MethodDefinition: ({ key, value }) => nameBy(key, value),
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
  }).visit(program)
  return functions
}
