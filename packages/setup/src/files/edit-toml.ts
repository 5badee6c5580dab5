import type { AST } from 'toml-eslint-parser'
import { FileRefused } from './file-refused.ts'
import { readToml, tomlKey, tomlOf, tomlPair, wayOf } from './read-toml.ts'
import { sameData } from './same-data.ts'
import { type Change, changed, type Splice, splice, withoutMark } from './splice.ts'
import { isTable } from './table.ts'

/**
 * Take tables out of the table `room` of a TOML file and put others in their place. Every byte of
 * the rest stays, however the tables are written.
 *
 * @throws {FileRefused} when the file would not say just that afterwards
 */
export function editToml(text: string, room: string, change: Change): string {
  const { mark, body } = withoutMark(text)
  const { program, data } = readToml(text)
  const edited = mark + splice(body, splicesOf(body, program, room, change))
  const members = data[room] ?? {}
  if (!isTable(members)) throw new FileRefused(`${room} is no table`)
  const wanted = { ...data, [room]: changed(members, change) }
  if (!saysThat(edited, room, wanted))
    throw new FileRefused('the edited file would not say the same')
  return edited
}

function saysThat(text: string, room: string, wanted: object): boolean {
  try {
    return sameData({ [room]: {}, ...readToml(text).data }, wanted)
  } catch {
    return false
  }
}

type Range = readonly [from: number, to: number]

function splicesOf(body: string, program: AST.TOMLProgram, room: string, change: Change): Splice[] {
  const { drop } = change
  const lines = linesOf(body, program.comments)
  const found: Splice[] = []
  let inline: AST.TOMLInlineTable | undefined
  let anchor: number | undefined
  const pair = (node: AST.TOMLKeyValue, before: readonly string[]): void => {
    const [first, name] = [...before, ...wayOf(node.key)]
    if (first !== room) return
    if (name === undefined) {
      if (node.value.type === 'TOMLInlineTable') inline = node.value
    } else if (drop.has(name)) found.push(cut(lines.whole(node.range)))
  }
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      pair(node, [])
      continue
    }
    const way = wayOf(node.key)
    const [first, name] = way
    if (first !== room) continue
    if (name === undefined) for (const one of node.body) pair(one, way)
    else if (drop.has(name)) {
      const range = lines.withGap(lines.whole(node.range))
      anchor ??= lines.withLead(range)
      found.push(cut(range))
    }
  }
  if (inline === undefined) return [...found, ...blocks(body, room, change, anchor)]
  return [...found, ...inlineCuts(inline, drop), ...inlineAdditions(inline, change)]
}

const cut = ([from, to]: Range): Splice => ({ from, to, text: '' })

/** `k = v,` each; those at the end with the comma before them. */
function inlineCuts({ body: pairs }: AST.TOMLInlineTable, drop: ReadonlySet<string>): Splice[] {
  const goes = (pair: AST.TOMLKeyValue): boolean => drop.has(wayOf(pair.key)[0] ?? '')
  const lastKept = pairs.findLast((pair) => !goes(pair))
  const isTail = (pair: AST.TOMLKeyValue): boolean =>
    lastKept === undefined || pair.range[0] > lastKept.range[0]
  const tail = pairs.filter((pair) => goes(pair) && isTail(pair))
  const [first] = tail
  const last = tail.at(-1)
  return [
    ...pairs.flatMap((pair, index) => {
      const next = pairs[index + 1]
      return goes(pair) && !isTail(pair) && next ? [cut([pair.range[0], next.range[0]])] : []
    }),
    ...(first && last ? [cut([lastKept?.range[1] ?? first.range[0], last.range[1]])] : []),
  ]
}

function inlineAdditions(table: AST.TOMLInlineTable, { drop, add }: Change): Splice[] {
  const entries = Object.entries(add)
  if (entries.length === 0) return []
  const isKept = table.body.some((pair) => !drop.has(wayOf(pair.key)[0] ?? ''))
  const end = isKept ? ',' : table.body.length > 0 ? '' : ' '
  const at = table.range[0] + 1
  return [{ from: at, to: at, text: ` ${entries.map(tomlPair).join(', ')}${end}` }]
}

/** Tables of their own, where the first that goes has stood, else at the end. */
function blocks(body: string, room: string, { add }: Change, anchor: number | undefined): Splice[] {
  const eol = body.includes('\r\n') ? '\r\n' : '\n'
  const text = Object.entries(add)
    .map(([name, value]) =>
      [
        `[${room}.${tomlKey(name)}]`,
        ...Object.entries(value as object).map(([key, one]) => `${tomlKey(key)} = ${tomlOf(one)}`),
        '',
      ].join(eol),
    )
    .join(eol)
  if (text === '') return []
  if (anchor !== undefined) return [{ from: anchor, to: anchor, text: text + eol }]
  const gap = `${body === '' || body.endsWith('\n') ? '' : eol}${body.trim() === '' ? '' : eol}`
  return [{ from: body.length, to: body.length, text: gap + text }]
}

/** Ranges as whole lines. */
function linesOf(body: string, comments: readonly AST.Comment[]) {
  const startOf = (at: number): number => body.lastIndexOf('\n', at - 1) + 1
  const endOf = (at: number): number => {
    const end = body.indexOf('\n', at)
    return end < 0 ? body.length : end + 1
  }
  const commentAfter = (at: number): AST.Comment | undefined =>
    comments.find(({ range: [from] }) => from >= at && !body.slice(at, from).includes('\n'))
  return {
    /** With the comment that ends the last line. */
    whole: ([from, to]: Range): Range => [startOf(from), endOf(commentAfter(to)?.range[1] ?? to)],
    /** With one empty line after it, if there is one before it too. */
    withGap([from, to]: Range): Range {
      const [gap] = /^[ \t]*\r?\n/.exec(body.slice(to)) ?? []
      const hasBefore = from === 0 || /\n[ \t]*\r?\n$/.test(body.slice(0, from))
      return gap !== undefined && hasBefore ? [from, to + gap.length] : [from, to]
    },
    /** Where the comments just above begin: they stay, and nothing comes between. */
    withLead([from]: Range): number {
      let start = from
      while (start > 0 && /^[ \t]*#/.test(body.slice(startOf(start - 1), start)))
        start = startOf(start - 1)
      return start
    },
  }
}
