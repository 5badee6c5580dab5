import { nearestOf } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { editServers } from '../config-file/edit-servers.ts'
import type { Command } from './command.ts'

export const command: Command = {
  usage: `aggregator-mcp remove NAME … [--config FILE]

Remove servers from the configuration. Running aggregators stop them; calls in progress finish.`,
  options: {},
  async run({ settings, words, print }) {
    if (words.length === 0) throw new UsageError('remove: Name one or more servers.')
    const [file = '', ...others] = settings.config
    if (others.length > 0) throw new UsageError('remove: Name a single file with --config.')
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
        `remove: There is no server ${unknown.word}.${near ? ` Did you mean ${near}?` : ''} Nothing was written.`,
      )
    }
    print(`Removed ${words.join(', ')} from ${path}.`)
    return 0
  },
}
