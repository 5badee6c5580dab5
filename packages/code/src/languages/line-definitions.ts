import type { Language, Place, ValueKind, ValueRule } from './language.ts'
import { isCode, type SymbolKind } from './symbol-kind.ts'
import { maxRead, valueNames } from './value-names.ts'

/** A constant, variable, field or other definition that an outline lacks. UTF-16 offsets. */
export interface LineDefinition {
  name: string
  kind: ValueKind
  /** Where the name begins. */
  at: number
  /** Of the statement or member. */
  start: number
  end: number
}

/** What an outline has of a symbol. */
interface OutlineSymbol {
  name: string
  kind: SymbolKind
  start: number
  body: number
  end: number
}

/** A statement or member. */
interface Statement {
  start: number
  end: number
  /** It is in a block whose values do not count. */
  isHidden: boolean
  /** Values in it count as those next to it. */
  isGroup: boolean
}

/**
 * The definitions of a text that are no symbols of its outline, and not within functions: one walk
 * over its statements and members (`units` of the parsed text, three values each), in their order.
 */
export function lineDefinitions(
  text: string,
  { values }: Language,
  symbols: readonly OutlineSymbol[],
  units: Uint32Array,
): LineDefinition[] {
  const definitions: LineDefinition[] = []
  if (!values) return definitions
  const { rules, groups = /^(?!)/, directives } = values
  const outline = createHolders(symbols)
  const parents: Statement[] = []
  for (let index = 0; index < units.length; index += 3) {
    const [start, end] = [units[index] as number, units[index + 1] as number]
    const { holder, isInFunction } = outline.around(start)
    if (isInFunction) continue
    while ((parents.at(-1)?.end ?? start + 1) <= start) parents.pop()
    const parent = parents.at(-1)
    const isHidden = isWithin(parent, holder)
    const line = isHidden ? '' : text.slice(start, Math.min(end, start + maxRead))
    parents.push({ start, end, isHidden, isGroup: groups.test(line) })
    if (isHidden) continue
    const outer = parent && text.slice(parent.start, parent.start + 80)
    const place = placeOf(holder, outer)
    const rule = rules.find((candidate) => isFor(candidate, line, place, outer))
    for (const { name, at } of rule ? valueNames(rule, text, start, end) : [])
      if (rule && !outline.has(name, start, at))
        definitions.push({ name, kind: kindOf(rule, place, name), at, start, end })
  }
  return [...definitions, ...(directives ? macrosIn(text, directives) : [])]
}

const macrosIn = (text: string, directives: RegExp): LineDefinition[] =>
  [...text.matchAll(directives)].map(({ 0: all, 1: name = '', index }) => {
    const behind = index + all.length
    restOfDirective.lastIndex = behind
    const end = behind + (restOfDirective.exec(text)?.[0].trimEnd().length ?? 0)
    return { name, kind: 'macro', at: behind - name.length, start: index, end }
  })

/** To the end of the line, of those that continue it, and of a comment that begins in it. */
const restOfDirective = /(?:[^\\\n/]|\\\r\n|\\[^\r]|\/\*[\s\S]{0,2000}?\*\/|\/)*/y

/** It is in a block that is no part of the holder, as that of a function without a name. */
function isWithin(parent: Statement | undefined, holder: OutlineSymbol | undefined): boolean {
  if (!parent) return false
  const isDirect = holder !== undefined && parent.start < holder.body
  return parent.isHidden || !(isDirect || parent.isGroup)
}

const isFor = (rule: ValueRule, line: string, place: Place, outer = ''): boolean =>
  (!rule.place || rule.place.includes(place)) &&
  (!rule.in || rule.in.test(outer)) &&
  rule.at.test(line)

function kindOf({ kind, hasCapitals }: ValueRule, place: Place, name: string): ValueKind {
  if (kind !== 'variable') return kind
  if (place !== 'top') return 'field'
  return hasCapitals && /^[A-Z][A-Z\d_]*$/.test(name) ? 'constant' : kind
}

/** The symbols around statements, which are asked for in their order. */
function createHolders(symbols: readonly OutlineSymbol[]) {
  const stack: OutlineSymbol[] = []
  let next = 0
  /** Without those that end before an offset: of 90,000 members, one is around a statement. */
  const leave = (offset: number): void => {
    while ((stack.at(-1)?.end ?? offset + 1) <= offset) stack.pop()
  }
  return {
    /** The innermost one that has a statement in its body. */
    around(start: number): { holder: OutlineSymbol | undefined; isInFunction: boolean } {
      for (let symbol = symbols[next]; symbol && symbol.start < start; symbol = symbols[++next]) {
        leave(symbol.start)
        stack.push(symbol)
      }
      leave(start)
      const holders = stack.filter(({ body, end }) => body <= start && end > start)
      return {
        holder: holders.at(-1),
        isInFunction: holders.some(({ kind }) => isCode(kind)),
      }
    },
    /** True if a symbol of that name begins with the statement, or in it before the name. */
    has(name: string, start: number, at: number): boolean {
      if (stack.some((symbol) => symbol.name === name && symbol.body >= start)) return true
      for (let index = next; (symbols[index]?.start ?? at + 1) <= at; index++)
        if (symbols[index]?.name === name) return true
      return false
    },
  }
}

const isEnum =
  /^(?:(?:typedef|static|const|export|public|private|internal|declare|inline)\s+)*enum\b/

function placeOf(holder: OutlineSymbol | undefined, parent: string | undefined): Place {
  if (parent !== undefined && (holder?.kind === 'enum' || isEnum.test(parent)))
    return parent.startsWith(';') ? 'member' : 'enum'
  return !holder || holder.kind === 'module' ? 'top' : 'member'
}
