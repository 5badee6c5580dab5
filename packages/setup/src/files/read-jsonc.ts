import {
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import { FileRefused } from './file-refused.ts'
import { withoutMark } from './splice.ts'
import { isTable, type Table } from './table.ts'

/** JSON with comments, as it stands. @throws {FileRefused} */
export function readJsonc(text: string): { root: Node; data: Table } {
  const { body } = withoutMark(text)
  if (body.trim() === '') throw new FileRefused('it is empty')
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    const line = body.slice(0, error.offset).split('\n').length
    throw new FileRefused(`it is no JSON: ${printParseErrorCode(error.error)} in line ${line}`)
  }
  const data: unknown = root && getNodeValue(root)
  if (root === undefined || !isTable(data)) throw new FileRefused('it is no JSON object')
  return { root, data }
}

/** The object at the end of a way. @throws {FileRefused} when it is something else, or says a name twice */
export function objectAt(root: Node, way: readonly string[]): Node | undefined {
  let at: Node | undefined = root
  for (const key of way) {
    const found: Node[] = membersOf(at).filter((member) => nameOf(member) === key)
    if (found.length > 1) throw new FileRefused(`${key} stands there twice`)
    at = found[0]?.children?.[1]
    if (at === undefined) return undefined
    if (at.type !== 'object') throw new FileRefused(`${way.join('.')} is no object`)
  }
  const seen = new Set<string>()
  for (const name of membersOf(at).map(nameOf)) {
    if (seen.has(name)) throw new FileRefused(`${[...way, name].join('.')} stands there twice`)
    seen.add(name)
  }
  return at
}

export const membersOf = (node: Node | undefined): Node[] => node?.children ?? []

export const nameOf = (member: Node): string => String(member.children?.[0]?.value)
