import { nearestOf } from '@pith-mcp/aggregator'
import { editServers } from '../config-file/edit-servers.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp remove NAME … [--config FILE]

Takes servers out of the configuration. Running aggregators heed it at once; calls under way finish.`,
  options: {},
  async run({ settings, words, print }) {
    if (words.length === 0) throw new UsageError('remove: name the servers.')
    const [file = '', ...others] = settings.config
    if (others.length > 0) throw new UsageError('remove: name one file by --config.')
    let unknown: { word: string; names: string[] } | undefined
    const path = await editServers(file, (servers) => {
      const names = Object.keys(servers)
      const word = words.find((one) => !names.includes(one))
      if (word !== undefined) unknown = { word, names }
      return { drop: unknown ? [] : words }
    })
    if (unknown !== undefined) {
      const [near] = await nearestOf(unknown.word, unknown.names)
      throw new UsageError(
        `remove ${unknown.word}: there is no such server${near ? `; did you mean ${near}?` : '.'} Nothing was written.`,
      )
    }
    print(`${words.join(', ')} ${words.length === 1 ? 'is' : 'are'} no more in ${path}.`)
    return 0
  },
}
