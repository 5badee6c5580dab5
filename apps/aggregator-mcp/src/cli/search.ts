import { UsageError } from '@pith-mcp/server-kit/settings'
import { textOf } from '../text-of.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp search WORDS … [--server NAME] [--tag TAG …] [--read-only] [--limit N]

Search tools by what they do, as search_tools does for models. Name service, verb and object:
"github create issue".`,
  options: {
    server: { type: 'string', short: 's' },
    tag: { type: 'string', multiple: true },
    'read-only': { type: 'boolean' },
    limit: { type: 'string', short: 'n' },
  },
  async run(context) {
    const { words, values, printText } = context
    if (words.length === 0) throw new UsageError('search: Enter words to search for.')
    return withAggregator(context, async ({ callOwnTool, aggregator: { gateway }, viewer }) => {
      // Wait for servers whose tools are unknown, so that the first search is complete.
      const { unknown } = gateway.viewFor(viewer)
      await Promise.allSettled(
        unknown.map((server) => gateway.discovery.readUnlessStored(server, viewer.session, {})),
      )
      const result = await callOwnTool('search_tools', {
        query: words.join(' '),
        server: values['server'],
        tags: values['tag'],
        read_only: values['read-only'],
        limit: values['limit'],
      })
      printText(textOf(result))
      return result['isError'] === true ? 1 : 0
    })
  },
}
