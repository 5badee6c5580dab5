import { nearestOf } from '@pith-mcp/aggregator'
import { type Client, findClient } from '@pith-mcp/server-kit/clients'
import type { Table } from '@pith-mcp/server-kit/files'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { editServers } from '../config-file/edit-servers.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp remove NAME[@ACCOUNT] … [--config FILE]
aggregator-mcp remove CLIENT [--name NAME] [--user] [--force]

Remove servers, or accounts of servers, from the configuration. Running aggregators stop them; calls
in progress finish.

CLIENT: take out what add wrote for a client: its entry, the skill and the block in its rules.
--force also removes an entry of this name that starts another program.`,
  isRecorded: true,
  options: { name: { type: 'string' }, user: { type: 'boolean' }, force: { type: 'boolean' } },
  async run(context) {
    const { settings, words, values, print } = context
    const [first = ''] = words
    if (first === '') throw new UsageError('remove: Name one or more servers, or a client.')
    const client = words.length === 1 ? findClient(first) : undefined
    const fromClient = async (target: Client): Promise<number> =>
      (await import('./add-client.ts')).removeClient(target, context)
    const flag = ['name', 'user', 'force'].find((name) => values[name] !== undefined)
    if (flag !== undefined) {
      if (client !== undefined) return fromClient(client)
      throw new UsageError(`remove: --${flag} is for clients only. Nothing was written.`)
    }
    // A server may have the name of a client.
    const [file = '', ...rest] = settings.config
    if (rest.length > 0) throw new UsageError('remove: Name a single file with --config.')
    let unknown: { word: string; names: string[] } | undefined
    const path = await editServers(file, (servers) => {
      const names = Object.entries(servers).flatMap(([name, server]) => [
        name,
        ...Object.keys(accountsOf(server)).map((account) => `${name}@${account}`),
      ])
      const word = words.find((argument) => !names.includes(argument))
      if (word !== undefined) unknown = { word, names }
      return word === undefined ? edited(servers, words) : {}
    })
    if (unknown !== undefined && client !== undefined) return fromClient(client)
    if (unknown !== undefined) {
      const [suggestion] = await nearestOf(unknown.word, unknown.names)
      throw new UsageError(
        `remove: There is no server or account ${unknown.word}.${suggestion ? ` Did you mean ${suggestion}?` : ''} Nothing was written.`,
      )
    }
    print(`Removed ${words.join(', ')} from ${path}.`)
    return 0
  },
}

const accountsOf = (server: unknown): Table =>
  (Object(server) as { accounts?: Table }).accounts ?? {}

function edited(
  servers: Readonly<Table>,
  words: readonly string[],
): { add: Table; drop: string[] } {
  const drop = words.filter((word) => Object.hasOwn(servers, word))
  const add: Table = {}
  for (const word of words.filter((argument) => !drop.includes(argument))) {
    const at = word.indexOf('@')
    const name = word.slice(0, at)
    if (drop.includes(name)) continue
    const { accounts, ...server } = (add[name] ?? servers[name]) as { accounts: Table }
    const { [word.slice(at + 1)]: _, ...rest } = accounts
    add[name] = { ...server, ...(Object.keys(rest).length > 0 && { accounts: rest }) }
  }
  return { add, drop: [...drop, ...Object.keys(add)] }
}
