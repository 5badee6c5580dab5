import { createScanner, getNodeValue, type Node } from 'jsonc-parser'
import { lineStart } from '#base/line-start'
import { sameData, type Table, valueAt } from '#base/table'
import { membersOf, nameOf, objectAt, readJsonc } from './read-jsonc.ts'
import { FileRefused } from './read-text.ts'
import { type Change, changed, type Splice, splice, stripBom } from './splice.ts'

/**
 * Removes members of the object at `path` and adds others at its beginning. All other bytes are
 * preserved, also comments above a removed member, which may be members disabled by hand.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editJsonc(text: string, path: readonly string[], change: Change): string {
  const { bom, body } = stripBom(text)
  const { root } = readJsonc(text)
  const object = objectAt(root, path)
  if (object === undefined) throw new FileRefused(`there is no ${path.join('.')}`)
  const edited =
    bom + splice(body, [...cuts(body, object, change), ...additions(body, object, change)])
  check(text, edited, path, change)
  return edited
}

/**
 * Like `editJsonc`, but adds the objects of `path` that are missing.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editJsoncPath(text: string, path: readonly string[], change: Change): string {
  const { root, data } = readJsonc(text)
  const missing = path.findIndex(
    (_, index) => valueAt(data, path.slice(0, index + 1)) === undefined,
  )
  if (missing < 0) return editJsonc(text, path, change)
  const there = path.slice(0, missing)
  objectAt(root, there)
  const [first = '', ...rest] = path.slice(missing)
  const value = rest.reduceRight<Table>((inner, key) => ({ [key]: inner }), { ...change.add })
  return editJsonc(text, there, { drop: new Set(), add: { [first]: value } })
}

function check(text: string, edited: string, path: readonly string[], change: Change): void {
  const refused = new FileRefused('the edited file would have other changes')
  try {
    const { root, data } = readJsonc(edited)
    const object = objectAt(root, path)
    const original = readJsonc(text).data
    const members = valueAt(original, path) as Record<string, unknown>
    if (!sameData(object && getNodeValue(object), changed(members, change))) throw refused
    if (path.length > 0 && !sameData(emptied(original, path), emptied(data, path))) throw refused
    // A file of strict JSON stays strict JSON.
    if (isStrict(text) && !isStrict(edited)) throw refused
  } catch {
    throw refused
  }
}

const isStrict = (text: string): boolean => {
  try {
    JSON.parse(stripBom(text).body)
    return true
  } catch {
    return false
  }
}

/** A copy with an empty object at `path`. */
function emptied(data: unknown, path: readonly string[]): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(data))
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string, unknown>
  holder[path.at(-1) ?? ''] = {}
  return copy
}

const endOf = (node: Node): number => node.offset + node.length

// Token kinds of the scanner: their enum is not available to TypeScript with isolated modules.
const comma = 5
const betweenTokens = [12, 13, 14, 15]

function commaAfter(body: string, member: Node): number | undefined {
  const scanner = createScanner(body, false)
  scanner.setPosition(endOf(member))
  for (;;) {
    const token: number = scanner.scan()
    if (token === comma) return scanner.getTokenOffset()
    if (!betweenTokens.includes(token)) return undefined
  }
}

/** The rest of a line with at most one comment. */
const restOfLine = /^[ \t]*(?:(?:\/\/[^\r\n]*)|(?:\/\*(?:(?!\*\/)[^\r\n])*\*\/[ \t]*))?(?=\r?\n)/

function cuts(body: string, object: Node, { drop }: Change): Splice[] {
  const members = membersOf(object)
  const splices = members.flatMap((member, index): Splice[] => {
    if (!drop.has(nameOf(member))) return []
    const commaAt = commaAfter(body, member)
    const next = members[index + 1]
    const limit = next?.offset ?? endOf(object) - 1
    const start = lineStart(body, member.offset)
    const end = commaAt === undefined ? endOf(member) : commaAt + 1
    const tail = restOfLine.exec(body.slice(end, limit))
    const hasOwnLines = /^[ \t]*$/.test(body.slice(start, member.offset)) && tail !== null
    if (!hasOwnLines) {
      const [blanks = ''] = /^[ \t]*/.exec(body.slice(end, limit)) ?? []
      return [{ from: member.offset, to: end + blanks.length, text: '' }]
    }
    const lineEnd = end + tail[0].length
    return [{ from: start, to: lineEnd + (body.startsWith('\r\n', lineEnd) ? 2 : 1), text: '' }]
  })
  // The new last member has a comma only if the old one had.
  const last = members.at(-1)
  const lastKept = members.findLast((member) => !drop.has(nameOf(member)))
  if (last === undefined || lastKept === undefined || lastKept === last) return splices
  const stray = commaAfter(body, lastKept)
  if (stray === undefined || commaAfter(body, last) !== undefined) return splices
  return [...splices, { from: stray, to: stray + 1, text: '' }]
}

function additions(body: string, object: Node, { drop, add }: Change): Splice[] {
  const entries = Object.entries(add)
  if (entries.length === 0) return []
  const members = membersOf(object)
  const open = object.offset + 1
  const [first] = members
  const last = members.at(-1)
  const isOnLines = first === undefined || body.slice(open, first.offset).includes('\n')
  const { eol, base, indent, step } = layoutOf(body, object, isOnLines ? first : undefined)
  const isKept = members.some((member) => !drop.has(nameOf(member)))
  const hasTrailing = last !== undefined && commaAfter(body, last) !== undefined
  const texts = entries.map(([name, value], index) => {
    const json = isOnLines
      ? JSON.stringify(value, null, step).replaceAll('\n', eol + indent)
      : JSON.stringify(value)
    const isLast = index === entries.length - 1
    return `${JSON.stringify(name)}: ${json}${!isLast || isKept || hasTrailing ? ',' : ''}`
  })
  const closing = first === undefined && !body.slice(open, endOf(object) - 1).includes('\n')
  const text = isOnLines
    ? texts.map((member) => `${eol}${indent}${member}`).join('') + (closing ? eol + base : '')
    : texts.map((member) => ` ${member}`).join('') +
      (isKept && !/\s/.test(body[open] ?? '') ? ' ' : '')
  return [{ from: open, to: open, text }]
}

/** The indentation of the existing members. */
function layoutOf(body: string, object: Node, first: Node | undefined) {
  const eol = body.includes('\r\n') ? '\r\n' : '\n'
  const [unit = '  '] = /^(?:\t| {1,8})/m.exec(body) ?? []
  const [base = ''] = /^[ \t]*/.exec(body.slice(lineStart(body, object.offset))) ?? []
  const before = first && body.slice(lineStart(body, first.offset), first.offset)
  const indent = before !== undefined && /^[ \t]*$/.test(before) ? before : base + unit
  const isDeeper = indent.length > base.length && indent.startsWith(base)
  return { eol, base, indent, step: isDeeper ? indent.slice(base.length) : unit }
}
