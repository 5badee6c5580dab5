import type { Tree, TreeCursor } from 'web-tree-sitter'
import type { Language } from '../languages/language.ts'
import { type LineDefinition, lineDefinitions } from '../languages/line-definitions.ts'
import { isCode } from '../languages/symbol-kind.ts'
import type { Definition } from './parsed.ts'
import { type ListRules, listRulesOf } from './read-tree.ts'

/** Levels below a statement at which a block of it is looked for: `export`, type, its body. */
const maxBelow = 3

/**
 * Constants, variables, fields and other definitions outside functions that an outline lacks, with
 * their name paths: those that the statements and members of a file begin.
 */
export function readValues(
  tree: Tree,
  text: string,
  language: Language,
  definitions: readonly Definition[],
): Definition[] {
  if (!language.values) return []
  const bodies = new Set(
    definitions.flatMap((definition) =>
      isCode(definition.kind) ? [definition.own, -definition.end] : [],
    ),
  )
  const cursor = tree.walk()
  try {
    const units = statementsOf(cursor, listRulesOf(tree.language, language), bodies)
    return withPaths(lineDefinitions(text, language, definitions, units), definitions)
  } finally {
    cursor.delete()
  }
}

/** Statements and members outside functions: start, end, and start of the block. */
function statementsOf(
  cursor: TreeCursor,
  { lists, isList }: ListRules,
  bodies: ReadonlySet<number>,
): Uint32Array {
  const units: number[] = []
  const codes = [0]
  const starts = [0]
  // Levels since the last block.
  const below = [0]
  let level = 0
  for (;;) {
    const code = codes[level] as number
    const { startIndex, endIndex } = cursor
    if (code !== 0 && isList(code, cursor))
      units.push(startIndex, endIndex, starts[level] as number)
    const list = lists[cursor.nodeTypeId] ?? 0
    const depth = list !== 0 ? 0 : (below[level] as number) + 1
    const isBody = bodies.has(startIndex) && bodies.has(-endIndex)
    if (!isBody && depth <= maxBelow && cursor.gotoFirstChild()) {
      level++
      codes[level] = list
      starts[level] = startIndex
      below[level] = depth
      continue
    }
    while (!cursor.gotoNextSibling()) {
      level--
      if (level < 0 || !cursor.gotoParent()) return Uint32Array.from(units)
    }
  }
}

/** As definitions below the types and modules around them. */
function withPaths(
  values: readonly LineDefinition[],
  definitions: readonly Definition[],
): Definition[] {
  const around: number[] = []
  let next = 0
  return values
    .toSorted((a, b) => a.start - b.start || a.at - b.at)
    .map(({ name, kind, start, end }) => {
      for (; next < definitions.length && (definitions[next] as Definition).start < start; next++)
        around.push(next)
      while (around.length > 0 && (definitions[around.at(-1) as number] as Definition).end <= start)
        around.pop()
      const path = [name]
      for (let up = around.at(-1) ?? -1; up >= 0; up = (definitions[up] as Definition).parent)
        path.unshift((definitions[up] as Definition).name)
      return { name: path.join('/'), kind, start, own: start, body: end, end, parent: -1 }
    })
}
