import { lineStart } from '#base/line-start'
import type { Language, Place, SymbolKind, ValueKind, ValueRule } from './language.ts'

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
interface Outlined {
  name: string
  kind: SymbolKind
  start: number
  body: number
  end: number
}

/** Characters of a statement that are read. */
const maxRead = 400
/** Characters of a macro with items in it that are read. */
const maxReadMacro = 20_000

const functions: ReadonlySet<SymbolKind> = new Set([
  'function',
  'method',
  'constructor',
  'accessor',
  'macro',
])

/** A statement or member, and whether those in it count. */
interface Open {
  start: number
  end: number
  /** It is in a block whose values do not count. */
  isHidden: boolean
  isGroup: boolean
}

/**
 * The definitions of a text that are no symbols of its outline, and not within functions: one walk
 * over its statements and members (`units` of the parsed text, three values each), in their order.
 */
export function lineDefinitions(
  text: string,
  { values }: Language,
  symbols: readonly Outlined[],
  units: Uint32Array,
): LineDefinition[] {
  const found: LineDefinition[] = []
  if (!values) return found
  const { rules, groups = /^(?!)/, directives } = values
  // Symbols that may hold a statement.
  const around: Outlined[] = []
  const open: Open[] = []
  let next = 0
  for (let at = 0; at < units.length; at += 3) {
    const start = units[at] as number
    const end = units[at + 1] as number
    for (; next < symbols.length && (symbols[next] as Outlined).start < start; next++)
      around.push(symbols[next] as Outlined)
    while (around.length > 0 && (around.at(-1) as Outlined).end <= start) around.pop()
    // One that is begun by this statement is not around it.
    const holders = around.filter(({ body, end: last }) => body <= start && last > start)
    if (holders.some(({ kind }) => functions.has(kind))) continue
    const holder = holders.at(-1)
    while (open.length > 0 && (open.at(-1) as Open).end <= start) open.pop()
    const parent = open.at(-1)
    // Else it is in a block that is no part of the holder, as that of a function without a name.
    const isDirect = !parent || (holder !== undefined && parent.start < holder.body)
    const isHidden = parent?.isHidden || !(isDirect || parent.isGroup)
    const line = isHidden ? '' : text.slice(start, Math.min(end, start + maxRead))
    open.push({ start, end, isHidden, isGroup: groups.test(line) })
    if (isHidden) continue
    const within = text.slice(parent?.start ?? 0, (parent?.start ?? 0) + 80)
    const place = placeOf(holder, parent && within)
    const rule = rules.find(
      ({ at: pattern, place: wanted, in: group }) =>
        (!wanted || wanted.includes(place)) &&
        (!group || (parent && group.test(within))) &&
        pattern.test(line),
    )
    if (rule) add(rule, place, line, start, end)
  }
  for (const match of directives ? text.matchAll(directives) : []) {
    const name = match[1] as string
    const end = match.index + match[0].length
    found.push({ name, kind: 'macro', at: end - name.length, start: match.index, end })
  }
  return found

  function add(rule: ValueRule, place: Place, line: string, start: number, end: number): void {
    if (rule.names === 'last' && text[end - 1] !== ';' && text[end] !== ';') return
    const from = rule.at.exec(line)?.[0].length ?? 0
    const kind = rule.kind === 'variable' && place !== 'top' ? 'field' : rule.kind
    const names = namesOf(rule, line, from, start, end)
    for (const [name, offset] of names) {
      const isConstant = kind === 'variable' && rule.hasCapitals && /^[A-Z][A-Z\d_]*$/.test(name)
      const definition = {
        name,
        kind: isConstant ? ('constant' as const) : kind,
        at: start + offset,
      }
      if (name !== '_' && !isOutlined(name, start, start + offset))
        found.push({ ...definition, start, end })
    }
  }

  function namesOf(
    rule: ValueRule,
    line: string,
    from: number,
    start: number,
    end: number,
  ): Placed[] {
    if (rule.names === 'items')
      return itemsIn(text.slice(start, Math.min(end, start + maxReadMacro)), rule)
    if (rule.names === 'behind') return namesBehind(text, start, end)
    // A key in quotation marks.
    const quote = line[from - 1]
    if (quote === "'" || quote === '"') return [[line.slice(from).split(quote, 1)[0] ?? '', from]]
    return namesIn(line.slice(from), rule.names).map(([name, place]) => [name, from + place])
  }

  /** An outline has it, too. */
  function isOutlined(name: string, start: number, place: number): boolean {
    if (around.some((symbol) => symbol.name === name && symbol.body >= start)) return true
    const first = lineStart(text, start)
    for (let at = next; at < symbols.length; at++) {
      const symbol = symbols[at] as Outlined
      if (symbol.start > place) return false
      if (symbol.name === name && symbol.start >= first) return true
    }
    return false
  }
}

const isEnum =
  /^(?:(?:typedef|static|const|export|public|private|internal|declare|inline)\s+)*enum\b/

function placeOf(holder: Outlined | undefined, parent: string | undefined): Place {
  if (parent !== undefined && (holder?.kind === 'enum' || isEnum.test(parent)))
    return parent.startsWith(';') ? 'member' : 'enum'
  return !holder || holder.kind === 'module' ? 'top' : 'member'
}

type Placed = readonly [name: string, place: number]

/** Items in a macro: those that the pattern of the rule finds line by line. */
function itemsIn(text: string, { items }: ValueRule): Placed[] {
  if (!items) return []
  return [...text.matchAll(items)].map((match) => {
    const name = match[1] ?? ''
    return [name, match.index + match[0].length - name.length]
  })
}

/** `} a, *b;` behind the body of a type. */
function namesBehind(text: string, start: number, end: number): Placed[] {
  const brace = text.lastIndexOf('}', end)
  if (brace <= start || end - brace > maxRead) return []
  const offset = brace + 1 - start
  return namesIn(`_ ${text.slice(brace + 1, end)}`, 'last').map(([name, place]) => [
    name,
    place - 2 + offset,
  ])
}

const word = /^[ \t]*(?:\.\.\.|\*+|&+|`)?[ \t]*(#?[\p{L}_$][\p{L}\p{N}_$]*)/u
const lastWord = /(?:\w+\s*::\s*)*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\[[^\]]*\]\s*)*$/u
const isType = /[\w>\])*&?]\s*[\s*&]\s*$/
const isKeyword = /^(?:operator|this|default|delete|const)$/

/** With blanks for what is between `<` and `>`, and macros with arguments behind a name. */
function withoutArguments(text: string): string {
  let plain = text
  for (let before = ''; before !== plain; ) {
    before = plain
    plain = plain.replace(/<[^<>]*>/g, (all) => ' '.repeat(all.length))
  }
  return plain.replace(/(?<=\w\s+)[A-Z][A-Z_\d]+\([^()]*\)\s*$/, (all) => ' '.repeat(all.length))
}

/**
 * The names that a list of declarators binds. The name is the first word of each, as in
 * `a: B = c, d`, or the last one of the first, as in `B<C> a = d, e[2]`.
 */
function namesIn(list: string, order: ValueRule['names']): Placed[] {
  const names: Placed[] = []
  for (const { text, at } of partsOf(list)) {
    if (order !== 'last') {
      if (/^\s*[{[]/.test(text)) names.push(...bound(text, at))
      else {
        const match = word.exec(text)
        if (!match) break
        names.push([match[1] as string, at + match[0].length - (match[1] as string).length])
      }
      if (order === 'one') break
      continue
    }
    const plain = withoutArguments(text)
    const pointer =
      /^[^()]*\(\s*(?:\w+\s*::\s*)?[*^&]*\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\]\s*)*\)\s*[([]/.exec(
        plain,
      )
    const match = pointer ?? (plain.includes('(') ? null : lastWord.exec(plain))
    // A type and a name, unless others were before it.
    if (!match || (names.length === 0 && !pointer && !isType.test(plain.slice(0, match.index))))
      break
    const name = match[1] as string
    if (isKeyword.test(name)) break
    names.push([name, at + match.index + match[0].lastIndexOf(name)])
  }
  return names
}

/** `{ a, b: c, ...d }` binds a, c and d. */
function bound(pattern: string, at: number): Placed[] {
  return [...pattern.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[,}\]=])/gu)]
    .filter(({ index }) => !/=\s*$/.test(pattern.slice(0, index)))
    .map(({ 1: name, index }) => [name as string, at + index])
}

/** A bracket of type arguments, but neither `a < b` nor `->` and `=>`. */
const isAngle = (list: string, at: number): boolean =>
  list[at] === '<' ? /[^ \t=]/.test(list[at + 1] ?? '=') : /[^-= \t]/.test(list[at - 1] ?? '=')

/** Declarators between commas, without their values, up to the end of the statement. */
function partsOf(list: string): { text: string; at: number }[] {
  const parts: { text: string; at: number }[] = []
  let depth = 0
  let angles = 0
  let begin = 0
  let valueAt = -1
  const close = (at: number): void => {
    parts.push({ text: list.slice(begin, valueAt < 0 ? at : valueAt), at: begin })
    begin = at + 1
    valueAt = -1
  }
  for (let at = 0; at < list.length; at++) {
    const char = list[at] as string
    if (char === '"' || char === "'" || char === '`') {
      const closing = list.indexOf(char, at + 1)
      if (closing < 0) break
      if (valueAt < 0 && char !== '`') valueAt = at
      at = closing
    } else if (/[([{]/.test(char)) {
      if (char === '{' && depth === 0 && valueAt < 0 && list.slice(begin, at).trim() !== '')
        valueAt = at
      depth++
    } else if (/[)\]}]/.test(char)) {
      if (depth === 0) break
      depth--
    } else if (char === '<' && isAngle(list, at)) angles++
    else if (char === '>' && angles > 0 && isAngle(list, at)) angles--
    else if (depth > 0 || (angles > 0 && char !== ';')) continue
    else if (char === ',') close(at)
    else if (char === ';') {
      close(at)
      return parts
    } else if (
      valueAt < 0 &&
      (char === '=' || (char === ':' && list[at + 1] !== ':' && list[at - 1] !== ':'))
    )
      valueAt = at
  }
  close(list.length)
  return parts
}
