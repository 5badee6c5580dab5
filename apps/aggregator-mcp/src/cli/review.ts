import { type Mark, qualifiedName, safeName, unitsOf } from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { shortMessage } from '../text-of.ts'
import type { CommandContext } from './command.ts'
import { withAggregator } from './with-aggregator.ts'

/** Tools that a line names. */
const maxNamed = 20

/**
 * Start servers, and show what they offer: what changes something, and what a reviewer reads first.
 * With `isApproved`, pin it as reviewed. A server that does not start stays as it was. Without names,
 * all servers.
 */
export async function reviewServers(
  names: readonly string[] | undefined,
  context: Pick<CommandContext, 'settings' | 'log' | 'print'>,
  isApproved: boolean,
): Promise<void> {
  const { print } = context
  await withAggregator({ ...context, log: () => {} }, async ({ aggregator, config, viewer }) => {
    const { gateway } = aggregator
    const all = config().servers.map(({ name }) => name)
    const unknown = names?.find((name) => !all.includes(name))
    if (unknown !== undefined)
      throw new UsageError(`There is no server ${unknown}. Configured: ${namesOf(all) || 'none'}.`)
    const servers = config().servers.filter(({ name }) => names?.includes(name) ?? true)
    const units = servers.flatMap(unitsOf)
    if (units.length > 0) print(`Starting ${namesOf(units.map(qualifiedName))} …`)
    const { session, capabilities } = viewer
    const failures = await Promise.all(
      units.map((unit) =>
        gateway.discovery
          .readUnlessCurrent(unit, session, capabilities)
          .then(() => undefined, shortMessage),
      ),
    )
    for (const [index, unit] of units.entries()) {
      const name = qualifiedName(unit)
      const failure = failures[index]
      const entry = gateway.catalog.entryOf(name)
      if (entry === undefined || failure !== undefined) {
        print(`${name}: not reviewed: ${failure ?? 'its lists are not known'}`)
        continue
      }
      const held = gateway.trust.review(unit, entry)
      const changing = entry.tools.filter(
        ({ annotations }) => Object(annotations).readOnlyHint !== true,
      )
      const list = namesOf(changing.map((tool) => safeName(String(tool['name']))))
      print(
        `${name}: ${countOf(entry.tools.length, 'tool')}${changing.length > 0 ? `, ${changing.length} may change something: ${list}` : ', which declare to change nothing'}`,
      )
      for (const [tool, { why }] of held) print(`  ${safeName(tool)}: ${why}`)
      for (const definition of entry.tools)
        for (const mark of gateway.trust.marksOf(unit, definition))
          print(`  ! ${safeName(String(definition['name']))}: ${markText(mark)}`)
      if (isApproved) gateway.trust.reviewed(unit, entry)
      const rest = gateway.trust.notReviewed(unit, entry).length
      if (rest > 0) print(`  ${countOf(rest, 'tool')} not reviewed before.`)
    }
  })
}

/** A mark as a line says it. */
export const markText = (mark: Mark): string =>
  'finding' in mark
    ? mark.finding
    : `${mark.at}: ${JSON.stringify(mark.sentence)} (${mark.signs.join(', ')})`

const namesOf = (names: readonly string[]): string =>
  names.length > maxNamed
    ? `${names.slice(0, maxNamed).join(', ')} and ${names.length - maxNamed} more`
    : names.join(', ')
