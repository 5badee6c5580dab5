import type { SymbolKind } from '../languages/symbol-kind.ts'
import type { Definition } from '../parse/parsed.ts'

/** A function, class or other definition of a file. Positions are UTF-16 offsets. */
export interface CodeSymbol {
  name: string
  /** Name path without a number, as `Class/method`. */
  bare: string
  /** The name path; with `[0]`, `[1]` … behind it where several in the file have the same. */
  path: string
  kind: SymbolKind
  /** Begin of its first line, or of itself where something else stands before it. */
  start: number
  /** Where the body begins; `end` where there is none. */
  body: number
  end: number
  /** It is only declared, without a body. */
  isDeclaration: boolean
  /** Index of the symbol around it, or -1. */
  parent: number
  /** `recovered`: the parser failed there, and its braces were counted. */
  extent: 'parsed' | 'recovered'
}

/** Definitions with their name paths, in the order of the file. */
export function nameSymbols(definitions: readonly Definition[]): CodeSymbol[] {
  const bare: string[] = []
  for (const { name, parent } of definitions)
    bare.push(parent < 0 ? name : `${bare[parent]}/${name}`)
  // What implements a type holds its methods, but is not what its name means.
  const pathOf = (index: number): string =>
    definitions[index]?.kind === 'impl' ? `impl ${bare[index]}` : (bare[index] as string)
  const bodied = new Set(bare.filter((_, index) => !definitions[index]?.isPrototype))
  const isKept = ({ isPrototype }: Definition, index: number) =>
    !isPrototype || !bodied.has(bare[index] as string)
  const places = new Map<number, number>()
  const totals = new Map<string, number>()
  definitions.forEach((definition, index) => {
    if (!isKept(definition, index)) return
    places.set(index, places.size)
    const path = pathOf(index)
    totals.set(path, (totals.get(path) ?? 0) + 1)
  })
  const seen = new Map<string, number>()
  const symbols: CodeSymbol[] = []
  definitions.forEach((definition, index) => {
    if (!places.has(index)) return
    const path = pathOf(index)
    const number = seen.get(path) ?? 0
    seen.set(path, number + 1)
    const { name, start, body, end, isRecovered } = definition
    const parent = places.get(definition.parent) ?? -1
    symbols.push({
      name: lastPart(name),
      bare: path,
      path: totals.get(path) === 1 ? path : `${path}[${number}]`,
      kind: kindOf(definition, symbols[parent]),
      start,
      body,
      end,
      isDeclaration: body >= end,
      parent,
      extent: isRecovered ? 'recovered' : 'parsed',
    })
  })
  return symbols
}

/** Of a name path; `/` is also the name of an operator, or in it. */
const lastPart = (path: string): string =>
  /(?:^|\/)((?:operator ?)?[^\p{L}\p{N}_/]*\/[^\p{L}\p{N}_]*|[^/]+)$/u.exec(path)?.[1] ?? path

const holders: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'enum', 'impl'])

function kindOf({ kind, name }: Definition, parent: CodeSymbol | undefined): SymbolKind {
  if (name === 'constructor' && kind === 'method') return 'constructor'
  const isMember = name.includes('/') || (parent !== undefined && holders.has(parent.kind))
  return kind === 'function' && isMember ? 'method' : kind
}
