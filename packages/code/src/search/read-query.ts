import { callableKinds, type SymbolKind, typeKinds } from '../languages/symbol-kind.ts'

/** A query in its parts. */
export interface FindQuery {
  /** A name, or words, without what follows here. */
  text: string
  /** The kind that a keyword before the name, or a capital, asks for first. */
  prefers: 'type' | 'callable' | 'value'
  /** `*name*`: also names that only contain it. */
  isPart: boolean
}

const keywords: Readonly<Record<string, FindQuery['prefers']>> = Object.fromEntries([
  ...['class', 'struct', 'interface', 'trait', 'enum', 'type', 'typedef', 'union', 'protocol'].map(
    (word) => [word, 'type'],
  ),
  ...['function', 'def', 'func', 'fn', 'fun', 'method'].map((word) => [word, 'callable']),
  ...[
    'const',
    'constant',
    'let',
    'var',
    'val',
    'static',
    'variable',
    'field',
    'macro',
    '#define',
  ].map((word) => [word, 'value']),
])

/** `class Pot`, `Pot`, `const LIMIT`, `*pot*`. */
export function readFindQuery(query: string): FindQuery {
  const [, keyword = '', rest] = /^(#?[a-z]+)\s+(\S+)$/.exec(query.trim()) ?? []
  const prefers = keywords[keyword]
  const name = prefers === undefined ? query.trim() : (rest as string)
  const isPart = /^\*.*[\p{L}\p{N}].*\*$/su.test(name)
  const text = isPart ? name.slice(1, -1) : name
  return {
    text,
    prefers: prefers ?? (/^\p{Lu}/u.test(lastName(text)) ? 'type' : 'callable'),
    isPart,
  }
}

const lastName = (text: string): string => text.split(/::|[./#]/).at(-1) ?? text

/** The group of a kind among those of one name, the preferred one first. */
export function kindRank(kind: SymbolKind | 'file', prefers: FindQuery['prefers']): number {
  const group = typeKinds.has(kind) ? 'type' : callableKinds.has(kind) ? 'callable' : 'value'
  if (group === prefers) return 0
  return group === 'value' ? 2 : 1
}
