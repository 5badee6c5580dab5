import { isMap, isNode, type Pair, stringify, type YAMLMap } from 'yaml'
import { attempt } from '#base/attempt'
import { lineStart } from '#base/line-start'
import { isTable, sameData } from '#base/table'
import { FileRefused } from './read-text.ts'
import { readYaml } from './read-yaml.ts'
import { type Change, changed, type Splice, splice, stripBom } from './splice.ts'

/**
 * Removes members of the map `room` of a YAML file and adds others at its beginning. All other bytes
 * are preserved; comments below a removed member that are indented like its fields belong to it.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editYaml(text: string, room: string, change: Change): string {
  const { bom, body } = stripBom(text)
  const { document, data } = readYaml(text)
  const members = data[room] ?? {}
  if (!isTable(members)) throw new FileRefused(`${room} is not a map`)
  const root = isMap(document?.contents) ? document.contents : undefined
  const pair = root?.items.find(({ key }) => String(key) === room)
  const edited =
    bom + splice(body, pair ? inRoom(body, pair, change) : newRoom(body, root, room, change))
  const expected = { ...data, [room]: changed(members, change) }
  const isRight = () => sameData({ [room]: {}, ...readYaml(edited).data }, expected)
  if (!attempt(isRight, false)) throw new FileRefused('its YAML has a form that is not edited here')
  return edited
}

function newRoom(body: string, root: YAMLMap | undefined, room: string, { add }: Change): Splice[] {
  if (Object.keys(add).length === 0) return []
  if (root?.flow) return inFlow(root, { drop: new Set(), add: { [room]: add } })
  const start = body === '' || body.endsWith('\n') ? '' : eolOf(body)
  const at = body.length
  return [{ from: at, to: at, text: start + linesOf({ [room]: add }, '', eolOf(body)) }]
}

function inRoom(body: string, { key, value }: Pair, change: Change): Splice[] {
  const map = isMap(value) ? value : undefined
  if (map?.flow) return inFlow(map, change)
  const items = map?.items ?? []
  const staying = items.filter((item) => !change.drop.has(String(item.key)))
  const [first] = items
  const base = indentAt(body, startOf(key))
  const indent = first ? indentAt(body, startOf(first.key)) : `${base}  `
  const colon = body.indexOf(':', endOf(key)) + 1
  const isEmptied = items.length > 0 && staying.length === 0 && Object.keys(change.add).length === 0
  const text = linesOf(change.add, indent, eolOf(body))
  const end = lineEnd(body, colon)
  return [
    ...items
      .filter((item) => !staying.includes(item))
      .map((item) => cutOf(body, startOf(item.key))),
    ...(isEmptied ? [{ from: colon, to: colon, text: ' {}' }] : []),
    ...(text && body.slice(0, end).endsWith('\n') ? [{ from: end, to: end, text }] : []),
    ...(text && !body.slice(0, end).endsWith('\n')
      ? [{ from: end, to: end, text: eolOf(body) + text }]
      : []),
  ]
}

/** The lines of a member: that of its key, and those below that are indented more. */
function cutOf(body: string, at: number): Splice {
  const from = lineStart(body, at)
  const indent = at - from
  let to = lineEnd(body, at)
  for (let end = to; end < body.length; ) {
    const line = body.slice(end, lineEnd(body, end))
    end += line.length
    const isBlank = line.trim() === ''
    if (!isBlank && line.search(/\S/) <= indent) break
    if (!isBlank) to = end
  }
  return { from, to, text: '' }
}

/** `{ a: 1, b: 2 }`, where a new member is written as JSON. */
function inFlow({ items, range }: YAMLMap, { drop, add }: Change): Splice[] {
  const open = (range?.[0] ?? 0) + 1
  const close = (range?.[1] ?? 0) - 1
  const goes = (item: Pair) => drop.has(String(item.key))
  const lastKept = items.findLast((item) => !goes(item))
  const tailFrom = lastKept ? endOf(lastKept.value ?? lastKept.key) : open
  const texts = Object.entries(add).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  const text = texts.length > 0 ? ` ${texts.join(', ')}${lastKept ? ',' : ' '}` : ''
  return [
    ...(text ? [{ from: open, to: open, text }] : []),
    ...items.flatMap((item, index) => {
      const next = items[index + 1]
      const isTail = startOf(item.key) > tailFrom || lastKept === undefined
      return goes(item) && !isTail && next
        ? [{ from: startOf(item.key), to: startOf(next.key), text: '' }]
        : []
    }),
    ...(items.some(goes) && items.at(-1) !== lastKept
      ? [{ from: tailFrom, to: close, text: '' }]
      : []),
  ]
}

/** Texts stand in quotes, so that none is read as another type by any version of YAML. */
const linesOf = (value: object, indent: string, eol: string): string =>
  Object.keys(value).length === 0
    ? ''
    : stringify(value, {
        lineWidth: 0,
        defaultStringType: 'QUOTE_DOUBLE',
        defaultKeyType: 'PLAIN',
        doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
      })
        .replace(/^(?=.)/gm, indent)
        .replaceAll('\n', eol)

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0)
const endOf = (node: unknown): number => (isNode(node) ? (node.range?.[1] ?? 0) : 0)
const eolOf = (body: string): string => (body.includes('\r\n') ? '\r\n' : '\n')
const indentAt = (body: string, at: number): string => body.slice(lineStart(body, at), at)

function lineEnd(body: string, at: number): number {
  const end = body.indexOf('\n', at)
  return end < 0 ? body.length : end + 1
}
