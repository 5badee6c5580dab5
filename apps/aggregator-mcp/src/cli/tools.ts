import { nearestOf, signatureOf, summaryOf } from '@pith-mcp/aggregator'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { describeAccess } from '../operations/access.ts'
import { textOf } from '../text-of.ts'
import type { Command } from './command.ts'
import { markText } from './review.ts'
import { type Opened, withAggregator } from './with-aggregator.ts'

export const command: Command = {
  usage: `aggregator-mcp tools [SERVER …] [--schema] [--config FILE] [--profile NAME]
aggregator-mcp tools --missing --profile NAME

List the tools of servers, one per line: parameters (* for required) and what it does. Starts servers
whose tools are unknown. --schema prints what a model would get of the named servers; --missing lists
the tools that a profile cannot call, each with the reason.`,
  options: { schema: { type: 'boolean' }, missing: { type: 'boolean' } },
  async run(context) {
    const { words, values, print } = context
    const includeSchema = values['schema'] === true
    if (includeSchema && words.length === 0)
      throw new UsageError('tools --schema: Name one or more servers.')
    const isMissing = values['missing'] === true
    if (isMissing && (includeSchema || words.length > 0))
      throw new UsageError('tools --missing: Name only a profile, with --profile.')
    return withAggregator(context, async (opened) => {
      if (isMissing) return printMissing(opened, print)
      if (!includeSchema) return printSignatures(words, opened, print)
      const result = await opened.callOwnTool('get_module_schema', { modules: words })
      context.printText(textOf(result))
      return result['isError'] === true ? 1 : 0
    })
  },
}

async function printMissing(
  { aggregator, viewer }: Opened,
  print: (text: string) => void,
): Promise<number> {
  const { access, ...ownerSession } = viewer.session
  const { fleet, discovery } = aggregator.gateway
  const outcomes = await Promise.allSettled(
    fleet.servers.map((server) => discovery.readUnlessStored(server, ownerSession, {})),
  )
  const { missing } = await describeAccess(access?.profile, { aggregator, ownerSession })
  for (const { server, name, reason } of missing) print(`${server}.${name}: ${reason}`)
  for (const [index, { name }] of fleet.servers.entries())
    if (outcomes[index]?.status === 'rejected') print(`${name}: its tools are not known`)
  return outcomes.some(({ status }) => status === 'rejected') ? 1 : 0
}

async function printSignatures(
  words: readonly string[],
  { aggregator: { gateway }, viewer }: Opened,
  print: (text: string) => void,
): Promise<number> {
  const { servers } = gateway.viewFor(viewer)
  const names = servers.map(({ name }) => name)
  for (const word of words) {
    if (names.includes(word)) continue
    const [match] = await nearestOf(word, names)
    throw new UsageError(`There is no server ${word}.${match ? ` Did you mean ${match}?` : ''}`)
  }
  const selected = servers.filter(({ name }) => words.length === 0 || words.includes(name))
  const outcomes = await Promise.allSettled(
    selected.map((server) => gateway.discovery.readUnlessStored(server, viewer.session, {})),
  )
  const view = gateway.viewFor(viewer)
  for (const [index, server] of selected.entries()) {
    const outcome = outcomes[index]
    if (outcome?.status === 'rejected')
      print(`${server.name}: ${(outcome.reason as Error).message}`)
    for (const { name, definition } of view.toolsOf(server.name)) {
      const summary = summaryOf(definition)
      print(`${signatureOf(`${server.name}.${name}`, definition)}${summary ? ` — ${summary}` : ''}`)
      for (const mark of gateway.trust.marksOf(server, definition)) print(`  ! ${markText(mark)}`)
    }
    for (const tool of view.absent.filter((entry) => entry.server.name === server.name))
      print(`${server.name}.${tool.name}: ${tool.reason}`)
  }
  return outcomes.some(({ status }) => status === 'rejected') ? 1 : 0
}
