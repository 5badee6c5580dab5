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
  ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => {
      const path = join(folder, name)
      return sourceFiles(path).flatMap((file) => namesIn(join(path, file)))
    }),
  )

function namesIn(path) {
  const text = readFileSync(path, 'utf8')
  const places = []
  const bind = (pattern) => {
    for (const { name, start } of identifiersIn(pattern))
      if (bare.has(name)) places.push(`${path}:${text.slice(0, start).split('\n').length} ${name}`)
  }
  const bindFunction = ({ id, params }) => [id, ...params].forEach(bind)
  new Visitor({
    VariableDeclarator: ({ id }) => bind(id),
    FunctionDeclaration: bindFunction,
    FunctionExpression: bindFunction,
    ArrowFunctionExpression: bindFunction,
  }).visit(parseSync(path, text).program)
  return places
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
