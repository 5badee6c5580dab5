import { qualifiedName, unitsOf } from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { readConfigFiles } from '../read-config-files.ts'
import type { Command } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp list [--config FILE] [--profile NAME]

List the configured servers and what is known of each. Starts none.`,
  options: {},
  async run(context) {
    const { settings, print } = context
    const { servers, disabled } = await readConfigFiles(settings)
    await withAggregator(context, async ({ aggregator: { gateway }, viewer }) => {
      const view = gateway.viewFor(viewer)
      const visible = new Set(view.servers.map(({ name }) => name))
      for (const server of servers.filter(({ name }) => visible.has(name))) {
        const absent = view.absent.filter((tool) => tool.server.name === server.name)
        const unread = absent.filter(({ isUnread }) => isUnread === true).length
        const heldCount = unitsOf(server).reduce((sum, unit) => {
          const entry = gateway.catalog.entryOf(qualifiedName(unit))
          return sum + gateway.trust.waiting(unit, entry).length
        }, 0)
        const otherCount =
          absent.filter(({ setting }) => setting !== 'aggregator.trust').length - unread
        const parts = [
          server.type === 'stdio' ? server.command : hostOf(server.url),
          view.entryOf(server.name)
            ? countOf(view.toolsOf(server.name).length, 'tool')
            : `has not answered yet (aggregator-mcp doctor ${server.name})`,
          ...(heldCount > 0 ? [`${heldCount} held (aggregator-mcp pin list)`] : []),
          ...(otherCount > 0
            ? [`${otherCount} not callable (aggregator-mcp tools ${server.name})`]
            : []),
          ...(unread > 0 ? [`${unread} not read (aggregator-mcp doctor ${server.name})`] : []),
          ...(server.accounts ? [`accounts ${view.accountsOf(server.name).join(', ')}`] : []),
          ...(server.tags ? [`tags ${server.tags.join(', ')}`] : []),
          ...unitsOf(server).flatMap((unit) =>
            unit.problem === undefined
              ? []
              : [`${qualifiedName(unit)} cannot be used: ${unit.problem}`],
          ),
        ]
        print(`${server.name}: ${parts.join('; ')}`)
      }
    })
    for (const name of disabled) print(`${name}: disabled`)
    if (servers.length + disabled.length === 0)
      print('No servers are configured. Add one with: aggregator-mcp add')
    return 0
  },
}

/** A URL may contain variables and secrets that are resolved only when it is used. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : 'over HTTP')
