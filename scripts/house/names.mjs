import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { sourceFiles } from './read-package.mjs'

/** Words that say a state of a value, not what it is: each reader gives such a property another name. */
const bare = new Set(
  `asked chosen found given kept known left matched missing named one other others own read rest sent
  stored taken used wanted waiting`.split(/\s+/),
)

/** Functions of one name: with more, a call does not tell which is meant. */
const maxNamesakes = 4

/** A call passes through these packages. */
const partsOfAggregator = [
  'servers',
  'scan',
  'sandbox',
  'oauth',
  'journal',
  'aggregator',
  'replicas',
].map((name) => `packages/${name}`)

/** Names of one value on its way: the other names of a call's `params`, and aliases of bare properties. */
export const names = () => ({
  params: otherNames(partsOfAggregator, 'params'),
  aliases: aliases(),
})

/** `{ found: file }`, as `path:line found → file`. */
const aliases = () =>
  ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).flatMap((each) =>
      sourceFiles(join(folder, each)).flatMap((file) => aliasesIn(join(folder, each, file))),
    ),
  )

function aliasesIn(path) {
  const text = readFileSync(path, 'utf8')
  const inFile = []
  visit(parseSync(path, text).program, (node) => {
    if (node.type !== 'ObjectPattern') return
    for (const { key, value } of node.properties) {
      const alias = (value?.left ?? value)?.name
      if (bare.has(key?.name) && alias && alias !== key.name)
        inFile.push(`${path}:${text.slice(0, key.start).split('\n').length} ${key.name} → ${alias}`)
    }
  })
  return inFile
}

/**
 * A value is renamed by a declaration, a pattern, a property, or the parameter of a function that is
 * called with it. What is made from it is another value.
 */
function otherNames(folders, name) {
  const others = new Map()
  const functions = new Map()
  const paths = folders.flatMap((folder) => sourceFiles(folder).map((path) => join(folder, path)))
  const roots = paths.map((path) => {
    const text = readFileSync(path, 'utf8')
    const { program } = parseSync(path, text)
    visit(program, (node, parent) => declare(functions, node, parent))
    return { program, at: (node) => `${path}:${text.slice(0, node.start).split('\n').length}` }
  })
  const known = new Map()
  const rename = (node, renamed, place) => {
    if (renamed === undefined || known.get(node)?.has(renamed)) return false
    known.set(node, (known.get(node) ?? new Set()).add(renamed))
    if (renamed !== name && !others.has(renamed)) others.set(renamed, place)
    return true
  }
  for (let changes = 1; changes > 0; ) {
    changes = 0
    for (const { program, at } of roots)
      visit(program, (node, _, scopes) => {
        const isIt = (value) =>
          isValue(value, name, (local) => scopes.some((scope) => known.get(scope)?.has(local)))
        for (const [scope, renamed] of renames(node, isIt, { name, scopes, functions }))
          if (rename(scope, renamed, at(node))) changes++
      })
  }
  return [...others].sort().map(([renamed, place]) => `${place} ${renamed}`)
}

/** Functions by their names: of a declaration, a constant, a property or a method. */
function declare(functions, node, parent) {
  if (!isFunction(node)) return
  const named = node.id ?? parent?.id ?? parent?.key
  if (named?.name) functions.set(named.name, [...(functions.get(named.name) ?? []), node])
}

const isFunction = (node) => /Function/.test(node.type) && node.params !== undefined

/** The scopes in which a node gives the value a name, with the names. */
function* renames(node, isIt, { name, scopes, functions }) {
  const scope = scopes.at(-1)
  if (node.type === 'VariableDeclarator' && node.init && isIt(node.init))
    yield [scope, node.id.name]
  if (node.type === 'Property' && node.key.name === name && !node.computed) {
    const target = node.value.type === 'AssignmentPattern' ? node.value.left : node.value
    // Of a pattern; of an object, the value is a new one.
    if (target.type === 'Identifier' && scopes.isPattern) yield [scope, target.name]
  }
  if (node.type === 'Property' && node.key.name !== name && !scopes.isPattern && isIt(node.value))
    yield [node, node.key.name]
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return
  const callee = node.callee.name ?? node.callee.property?.name
  const called = functions.get(callee) ?? []
  if (called.length > maxNamesakes) return
  for (const [index, argument] of node.arguments.entries())
    if (isIt(argument))
      for (const it of called) {
        const parameter = it.params[index]
        yield [it, (parameter?.left ?? parameter)?.name]
      }
}

/** True for the value itself, however it is written: `params`, `message.params`, `params ?? {}`. */
function isValue(node, name, isKnown) {
  if (node.type === 'Identifier') return node.name === name || isKnown(node.name)
  if (node.type === 'MemberExpression') return !node.computed && node.property.name === name
  if (node.type === 'LogicalExpression') return isValue(node.left, name, isKnown)
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].some((each) => isValue(each, name, isKnown))
  // A copy with other members.
  if (node.type === 'ObjectExpression')
    return node.properties.some(
      ({ type, argument }) => type === 'SpreadElement' && isValue(argument, name, isKnown),
    )
  if (node.type === 'AwaitExpression') return isValue(node.argument, name, isKnown)
  const inner = node.type.startsWith('TS') || node.type === 'ParenthesizedExpression'
  return inner && node.expression ? isValue(node.expression, name, isKnown) : false
}

/** Visits all nodes, with the functions around each; of patterns, `isPattern` is set. */
function visit(node, enter, parent, scopes = [node]) {
  if (!node || typeof node.type !== 'string') return
  const within = isFunction(node) ? [...scopes, node] : scopes
  within.isPattern = node.type === 'ObjectPattern' || (scopes.isPattern && node.type === 'Property')
  enter(node, parent, within)
  for (const child of Object.values(node))
    if (Array.isArray(child))
      for (const each of child)
        visit(each, enter, node, Object.assign([...within], { isPattern: within.isPattern }))
    else if (child && typeof child === 'object')
      visit(child, enter, node, Object.assign([...within], { isPattern: within.isPattern }))
}
