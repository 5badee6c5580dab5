import type { AST } from 'toml-eslint-parser'
import { attempt } from '#base/attempt'
import { lineStart } from '#base/line-start'
import { isTable, sameData } from '#base/table'
import { FileRefused } from './read-text.ts'
import { pathOf, readToml, tomlKey, tomlOf, tomlPair } from './read-toml.ts'
import { type Change, changed, type Splice, splice, stripBom } from './splice.ts'

/**
 * Removes tables of the table `room` of a TOML file and adds others. All other bytes are preserved,
 * in any notation of tables.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editToml(text: string, room: string, change: Change): string {
  const { bom, body } = stripBom(text)
  const { program, data } = readToml(text)
  const edited = bom + splice(body, splicesOf(body, program, room, change))
  const members = data[room] ?? {}
  if (!isTable(members)) throw new FileRefused(`${room} is not a table`)
  const expected = { ...data, [room]: changed(members, change) }
  if (!saysThat(edited, room, expected))
    throw new FileRefused('the edited file would have other changes')
  return edited
}

const saysThat = (text: string, room: string, expected: object): boolean =>
  attempt(() => sameData({ [room]: {}, ...readToml(text).data }, expected), false)

type Range = readonly [from: number, to: number]

function splicesOf(body: string, program: AST.TOMLProgram, room: string, change: Change): Splice[] {
  const { drop } = change
  const lines = linesOf(body, program.comments)
  const cuts: Splice[] = []
  let inline: AST.TOMLInlineTable | undefined
  let anchor: number | undefined
  const pair = (node: AST.TOMLKeyValue, before: readonly string[]): void => {
    const [first, name] = [...before, ...pathOf(node.key)]
    if (first !== room) return
    if (name === undefined) {
      if (node.value.type === 'TOMLInlineTable') inline = node.value
    } else if (drop.has(name)) cuts.push(cut(lines.whole(node.range)))
  }
  for (const node of program.body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      pair(node, [])
      continue
    }
    const path = pathOf(node.key)
    const [first, name] = path
    if (first !== room) continue
    if (name === undefined) for (const keyValue of node.body) pair(keyValue, path)
    else if (drop.has(name)) {
      const range = lines.withGap(lines.whole(node.range))
      anchor ??= lines.withLead(range)
      cuts.push(cut(range))
    }
  }
  if (inline === undefined) return [...cuts, ...blocks(body, room, change, anchor)]
  return [...cuts, ...inlineCuts(inline, drop), ...inlineAdditions(inline, change)]
}

const cut = ([from, to]: Range): Splice => ({ from, to, text: '' })

/** Removes `k = v,`; the last ones with the comma before them. */
function inlineCuts({ body: pairs }: AST.TOMLInlineTable, drop: ReadonlySet<string>): Splice[] {
  const goes = (pair: AST.TOMLKeyValue): boolean => drop.has(pathOf(pair.key)[0] ?? '')
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
  const isKept = table.body.some((pair) => !drop.has(pathOf(pair.key)[0] ?? ''))
  const end = isKept ? ',' : table.body.length > 0 ? '' : ' '
  const at = table.range[0] + 1
  return [{ from: at, to: at, text: ` ${entries.map(tomlPair).join(', ')}${end}` }]
}

/** Adds tables at the place of the first removed one, or at the end. */
function blocks(body: string, room: string, { add }: Change, anchor: number | undefined): Splice[] {
  const eol = body.includes('\r\n') ? '\r\n' : '\n'
  const text = Object.entries(add)
    .map(([name, value]) =>
      [
        `[${room}.${tomlKey(name)}]`,
        ...Object.entries(value as object).map(([key, raw]) => `${tomlKey(key)} = ${tomlOf(raw)}`),
        '',
      ].join(eol),
    )
    .join(eol)
  if (text === '') return []
  if (anchor !== undefined) return [{ from: anchor, to: anchor, text: text + eol }]
  const gap = `${body === '' || body.endsWith('\n') ? '' : eol}${body.trim() === '' ? '' : eol}`
  return [{ from: body.length, to: body.length, text: gap + text }]
}

/** Converts ranges to whole lines. */
function linesOf(body: string, comments: readonly AST.Comment[]) {
  const startOf = (at: number): number => lineStart(body, at)
  const endOf = (at: number): number => {
    const end = body.indexOf('\n', at)
    return end < 0 ? body.length : end + 1
  }
  const commentAfter = (at: number): AST.Comment | undefined =>
    comments.find(({ range: [from] }) => from >= at && !body.slice(at, from).includes('\n'))
  return {
    /** Includes a comment at the end of the last line. */
    whole: ([from, to]: Range): Range => [startOf(from), endOf(commentAfter(to)?.range[1] ?? to)],
    /** Includes one empty line after the range if there is one before it, too. */
    withGap([from, to]: Range): Range {
      const [gap] = /^[ \t]*\r?\n/.exec(body.slice(to)) ?? []
      const hasBefore = from === 0 || /\n[ \t]*\r?\n$/.test(body.slice(0, from))
      return gap !== undefined && hasBefore ? [from, to + gap.length] : [from, to]
    },
    /** Start of the comments above, which are preserved; nothing is inserted in between. */
    withLead([from]: Range): number {
      let start = from
      while (start > 0 && /^[ \t]*#/.test(body.slice(startOf(start - 1), start)))
        start = startOf(start - 1)
      return start
    },
  }
}
