import type { Language, SymbolKind } from '../languages/language.ts'
import type { Definition, Parsed } from '../parse/parsed.ts'
import { createLines, type Lines } from '../text/lines.ts'

/** A function, class or other definition of a file. Positions are UTF-16 offsets. */
export interface CodeSymbol {
  name: string
  /** Name path without a number: `Class/method`. */
  bare: string
  /** The name path; followed by `[0]`, `[1]` … if several symbols of the file share it. */
  path: string
  kind: SymbolKind
  /** Start of its first line, or of the symbol if other text precedes it on the line. */
  start: number
  /** Start of the body; `end` if it has no body. */
  body: number
  end: number
  /** A declaration without a body. */
  isDeclaration: boolean
  /** Index of the symbol around it, or -1. */
  parent: number
  /** `recovered`: the parser failed, and the end was found by counting braces. */
  extent: 'parsed' | 'recovered'
}

/** Definitions with their name paths, in the order of the file. */
function nameSymbols(definitions: readonly Definition[]): CodeSymbol[] {
  const bare: string[] = []
  for (const { name, parent } of definitions)
    bare.push(parent < 0 ? name : `${bare[parent]}/${name}`)
  // An `impl` or extension has the methods of a type, but the name of the type does not mean it.
  const pathOf = (index: number): string => {
    const kind = definitions[index]?.kind
    const path = bare[index] as string
    return kind === 'impl' || kind === 'extension' ? `${kind} ${path}` : path
  }
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

/** The last part of a name path; `/` may also be an operator or part of one. */
const lastPart = (path: string): string =>
  /(?:^|\/)((?:operator ?)?[^\p{L}\p{N}_/]*\/[^\p{L}\p{N}_]*|[^/]+)$/u.exec(path)?.[1] ?? path

const holders: ReadonlySet<SymbolKind> = new Set([
  'class',
  'interface',
  'struct',
  'enum',
  'impl',
  'extension',
])

function kindOf({ kind, name }: Definition, parent: CodeSymbol | undefined): SymbolKind {
  if (name === 'constructor' && kind === 'method') return 'constructor'
  const isMember = name.includes('/') || (parent !== undefined && holders.has(parent.kind))
  return kind === 'function' && isMember ? 'method' : kind
}

export interface SourceFile {
  /** Relative to its root, with `/`. */
  path: string
  text: string
  lines: Lines
  language?: Language
  symbols: readonly CodeSymbol[]
  parsed: Parsed
  /** Why the file was not parsed; absent if it was. */
  unparsed?: string
}

const nothing: Parsed = {
  definitions: [],
  units: new Uint32Array(),
  leads: new Uint32Array(),
  tokens: new Uint32Array(),
  hasErrors: false,
}

export function createSourceFile(
  path: string,
  text: string,
  syntax: { language?: Language; parsed?: Parsed; unparsed?: string },
): SourceFile {
  const { parsed = nothing, language, unparsed } = syntax
  return {
    path,
    text,
    lines: createLines(text),
    symbols: nameSymbols(parsed.definitions),
    parsed,
    ...(language && { language }),
    ...(unparsed !== undefined && { unparsed }),
  }
}
