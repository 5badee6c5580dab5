import { getNodeValue, type Node } from 'jsonc-parser'
import { lineStart } from '#base/line-start'
import { isTable, sameData, type Table, valueAt } from '#base/table'
import { editJsonc, editJsoncPath } from './edit-jsonc.ts'
import { membersOf, nameOf, objectAt, readJsonc } from './read-jsonc.ts'
import { FileRefused } from './read-text.ts'
import { splice, stripBom } from './splice.ts'

/** A value to set at `path`, which is not empty; undefined removes the member. */
export interface ValueEdit {
  path: readonly string[]
  value?: unknown
}

/**
 * Sets one value. All bytes outside of it are preserved; objects of `path` that are missing are
 * added.
 *
 * @throws {FileRefused} if the result would not be exactly this change
 */
export function editJsoncValue(text: string, { path, value }: ValueEdit): string {
  const { root, data } = readJsonc(text)
  const parent = path.slice(0, -1)
  const key = path.at(-1) ?? ''
  const isThere = valueAt(data, path) !== undefined
  if (value === undefined)
    return isThere ? editJsonc(text, parent, { drop: new Set([key]), add: {} }) : text
  if (!isThere) return editJsoncPath(text, parent, { drop: new Set(), add: { [key]: value } })
  const member = membersOf(objectAt(root, parent)).find((node) => nameOf(node) === key)
  const node = member?.children?.[1]
  // `valueAt` has the member.
  if (node === undefined) throw new FileRefused(`there is no ${path.join('.')}`)
  if (sameData(getNodeValue(node), value)) return text
  const { bom, body } = stripBom(text)
  const { offset: from, length } = node
  const put = layOut(body, from, length, value)
  const edited = bom + splice(body, [{ from, to: from + length, text: put }])
  if (!sameData(readJsonc(edited).data, withValue(data, path, value)))
    throw new FileRefused('the edited file would have other changes')
  return edited
}

/** A value as JSON: on one line if the previous one was, else with the indentation of its file. */
function layOut(body: string, from: number, length: number, value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const before = body.slice(from, from + length)
  const isFlat = !before.includes('\n') && Object.values(value).every((item) => !isNested(item))
  if (Array.isArray(value) && isFlat)
    return `[${value.map((item) => JSON.stringify(item)).join(', ')}]`
  const eol = body.includes('\r\n') ? '\r\n' : '\n'
  const [unit = '  '] = /^(?:\t| {1,8})/m.exec(body) ?? []
  const [indent = ''] = /^[ \t]*/.exec(body.slice(lineStart(body, from))) ?? []
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

function withValue(data: Table, [key = '', ...rest]: readonly string[], value: unknown): Table {
  const inner = Object.hasOwn(data, key) ? data[key] : undefined
  return {
    ...data,
    [key]: rest.length === 0 ? value : withValue(isTable(inner) ? inner : {}, rest, value),
  }
}

/** A text in JSON, and the path to it; items of lists by their index. */
export interface TextNode {
  path: readonly string[]
  value: string
}

/** All texts of a JSON document that are not keys. @throws {FileRefused} */
export const textsIn = (text: string): TextNode[] =>
  textNodes(readJsonc(text).root, []).map(({ path, node }) => ({ path, value: String(node.value) }))

/** Replaces texts; all other bytes are preserved. @throws {FileRefused} */
export function replaceTexts(text: string, put: (node: TextNode) => string): string {
  const { bom, body } = stripBom(text)
  const splices = textNodes(readJsonc(text).root, []).flatMap(({ path, node }) => {
    const value = String(node.value)
    const next = put({ path, value })
    const { offset, length } = node
    return next === value ? [] : [{ from: offset, to: offset + length, text: JSON.stringify(next) }]
  })
  return bom + splice(body, splices)
}

function textNodes(node: Node, path: readonly string[]): { path: readonly string[]; node: Node }[] {
  if (node.type === 'string') return [{ path, node }]
  const { children = [] } = node
  if (node.type === 'array')
    return children.flatMap((item, index) => textNodes(item, [...path, String(index)]))
  return children.flatMap((member) => {
    const value = member.children?.[1]
    return value ? textNodes(value, [...path, nameOf(member)]) : []
  })
}
