import { getNodeValue, type Node, type ParseError, parseTree, visit } from 'jsonc-parser'
import { syntaxProblem } from '#base/syntax-problem'
import { isTable, type Table } from '#base/table'
import { FileRefused } from './read-text.ts'
import { stripBom } from './splice.ts'

/** Parses JSON with comments. @throws {FileRefused} */
export function readJsonc(text: string): { root: Node; data: Table } {
  const { body } = stripBom(text)
  if (body.trim() === '') throw new FileRefused('it is empty')
  const errors: ParseError[] = []
  const root = parseTree(body, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    const line = body.slice(0, error.offset).split('\n').length
    throw new FileRefused(`it is not valid JSON: ${syntaxProblem(error)} in line ${line}`)
  }
  const data: unknown = root && getNodeValue(root)
  if (root === undefined || !isTable(data)) throw new FileRefused('it is not a JSON object')
  return { root, data }
}

/** The text with other words in its comments; the number of lines stays. */
export function replaceComments(text: string, replace: (comment: string) => string): string {
  const { bom, body } = stripBom(text)
  let done = 0
  let result = bom
  visit(body, {
    onComment(offset, length) {
      const comment = body.slice(offset, offset + length)
      const isLine = comment.startsWith('//')
      const words = replace(comment)
      const ends = comment.replace(/[^\n]/g, '')
      result += body.slice(done, offset) + (isLine ? `// ${words}` : `/* ${words}${ends} */`)
      done = offset + length
    },
  })
  return result + body.slice(done)
}

/** The object at `path`. @throws {FileRefused} if it is not an object, or has a duplicate name */
export function objectAt(root: Node, path: readonly string[]): Node | undefined {
  let at: Node | undefined = root
  for (const key of path) {
    const matches: Node[] = membersOf(at).filter((member) => nameOf(member) === key)
    if (matches.length > 1) throw new FileRefused(`${key} is defined twice`)
    at = matches[0]?.children?.[1]
    if (at === undefined) return undefined
    if (at.type !== 'object') throw new FileRefused(`${path.join('.')} is not an object`)
  }
  const names = new Set<string>()
  for (const name of membersOf(at).map(nameOf)) {
    if (names.has(name)) throw new FileRefused(`${[...path, name].join('.')} is defined twice`)
    names.add(name)
  }
  return at
}

export const membersOf = (node: Node | undefined): Node[] => node?.children ?? []

export const nameOf = (member: Node): string => String(member.children?.[0]?.value)
