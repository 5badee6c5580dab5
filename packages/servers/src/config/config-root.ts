import { getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser'
import { syntaxProblem } from '#base/syntax-problem'
import { AggregatorError } from '../protocol/aggregator-error.ts'
import { describeUnknownKey } from './known-keys.ts'

/** The members of a configuration file that are read, as nodes of its text. */
export interface ConfigRoot {
  /** The members of `mcpServers`. */
  servers: readonly { name: string; value: unknown }[]
  /** The object `aggregator`. */
  settings: unknown
}

export const badConfig = (message: string): AggregatorError =>
  new AggregatorError('bad_config', `${message}.`, 'Correct the configuration file.')

/** Keys of files that clients share with editors. */
const foreignKeys = ['$schema', 'inputs']

/** @throws {AggregatorError} `bad_config` for invalid JSON, a key that is unknown or defined twice */
export async function readRoot(text: string): Promise<ConfigRoot> {
  const errors: ParseError[] = []
  const json = text.replace(/^\uFEFF/, '')
  const root = parseTree(json, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error)
    throw badConfig(
      `The text is not valid JSON: ${syntaxProblem(error)} at ${positionIn(json, error.offset)}`,
    )
  if (root === undefined || root.type !== 'object') throw badConfig('There is no object mcpServers')
  checkTwice(root, '', json)
  const members = new Map(membersOf(root).map(({ key, value }) => [key, value]))
  for (const key of members.keys())
    if (!['mcpServers', 'servers', 'aggregator', ...foreignKeys].includes(key))
      throw badConfig(await describeUnknownKey([], key))
  const servers = members.get('mcpServers') ?? members.get('servers')
  if (members.has('mcpServers') && members.has('servers'))
    throw badConfig('There are both mcpServers and servers; keep one of them')
  if (servers?.type !== 'object')
    throw badConfig(
      servers === undefined
        ? 'There is no object mcpServers'
        : `mcpServers must be an object with a server per name, and is ${servers.type === 'array' ? 'a list' : `of type ${servers.type}`}`,
    )
  const settings = members.get('aggregator')
  return {
    servers: membersOf(servers).map(({ key, value }) => ({
      name: key,
      value: value && getNodeValue(value),
    })),
    settings: settings && getNodeValue(settings),
  }
}

interface Member {
  key: string
  value: Node | undefined
  offset: number
}

const membersOf = ({ children = [] }: Node): Member[] =>
  children.map(({ children: [key, value] = [] }) => ({
    key: String(key?.value),
    value,
    offset: key?.offset ?? 0,
  }))

/** Of a key that occurs twice, JSON readers take one or the other: it is not known which is meant. */
function checkTwice(node: Node, path: string, text: string): void {
  if (node.type === 'array')
    for (const [index, item] of (node.children ?? []).entries())
      checkTwice(item, `${path}[${index}]`, text)
  if (node.type !== 'object') return
  const offsets = new Map<string, number>()
  for (const { key, value, offset } of membersOf(node)) {
    const at = path === '' ? key : `${path}.${key}`
    const first = offsets.get(key)
    if (first !== undefined)
      throw badConfig(
        `${at} is defined twice: at ${positionIn(text, first)} and at ${positionIn(text, offset)}`,
      )
    offsets.set(key, offset)
    if (value) checkTwice(value, at, text)
  }
}

function positionIn(text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}
