import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { sourceFiles } from './read-package.mjs'

/** Participles, adjectives and pronouns: they say a state of a value, not what it is. */
const bare = new Set(
  `asked chosen found given held kept known left listed named near one other others own plain said
  seen shown stored taken told waiting wanted whole written`.split(/\s+/),
)

/** Variables, parameters and functions whose whole name is such a word, as `path:line name`. */
export const bareNames = () =>
  allNames()
    .filter(({ name }) => bare.has(name))
    .map(({ path, line, name }) => `${path}:${line} ${name}`)

/** Lehmer's generator, so that a sample can be drawn again. */
export function* numbersFrom(seed) {
  let state = seed
  while (true) {
    state = (state * 48_271) % (2 ** 31 - 1)
    yield state
  }
}

/** `count` names drawn at random, with the line of each, for someone to say what they are. */
export function sampleNames(count, seed) {
  const names = allNames()
  const numbers = numbersFrom(seed)
  return Array.from({ length: count }, () => names[numbers.next().value % names.length])
}

const allNames = () =>
  ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      return sourceFiles(path).flatMap((file) => namesIn(join(path, file)))
    }),
  )

function namesIn(path) {
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const names = []
  const bind = (pattern) => {
    for (const { name, start } of identifiersIn(pattern)) {
      const line = text.slice(0, start).split('\n').length
      names.push({ path, line, name, text: lines[line - 1].trim() })
    }
  }
  const bindFunction = ({ id, params }) => [id, ...params].forEach(bind)
  new Visitor({
    VariableDeclarator: ({ id }) => bind(id),
    FunctionDeclaration: bindFunction,
    FunctionExpression: bindFunction,
    ArrowFunctionExpression: bindFunction,
  }).visit(parseSync(path, text).program)
  return names
}

/** The identifiers that a pattern binds. */
function identifiersIn(pattern) {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern]
    case 'ObjectPattern':
      return pattern.properties.flatMap((it) => identifiersIn(it.value ?? it.argument))
    case 'ArrayPattern':
      return pattern.elements.flatMap(identifiersIn)
    case 'AssignmentPattern':
      return identifiersIn(pattern.left)
    case 'RestElement':
      return identifiersIn(pattern.argument)
    case 'TSParameterProperty':
      return identifiersIn(pattern.parameter)
    default:
      return []
  }
}
