import { textOf } from '../text-of.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp search WORDS … [--server NAME] [--tag TAG …] [--read-only] [--limit N]

Tools by what they do, as search_tools finds them for a model. Name service, verb and object:
"github create issue".`,
  options: {
    server: { type: 'string', short: 's' },
    tag: { type: 'string', multiple: true },
    'read-only': { type: 'boolean' },
    limit: { type: 'string', short: 'n' },
  },
  async run(context) {
    const { words, values, print } = context
    if (words.length === 0) throw new UsageError('search: what for?')
    return withAggregator(context, async ({ request, aggregator: { gateway }, viewer }) => {
      // Nobody searches again because one was slow.
      const { unknown } = gateway.viewFor(viewer)
      await Promise.allSettled(unknown.map((server) => gateway.know(server, viewer.session, {})))
      const args = {
        query: words.join(' '),
        server: values['server'],
        tags: values['tag'],
        read_only: values['read-only'],
        limit: values['limit'],
      }
      const result = await request('tools/call', { name: 'search_tools', arguments: args })
      print(textOf(result))
      return result['isError'] === true ? 1 : 0
    })
  },
}
