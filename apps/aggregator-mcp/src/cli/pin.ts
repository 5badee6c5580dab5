import {
  diffOf,
  type PinnedServer,
  qualifiedName,
  reviewSentences,
  type ServerConfig,
  safeName,
  unitsOf,
  waitingIn,
} from '@pith-mcp/aggregator'
import { attempt } from '@pith-mcp/base/attempt'
import { countOf } from '@pith-mcp/base/count-of'
import { UsageError } from '@pith-mcp/server-kit/settings'
import { approvePins, pinsOf, resetPins } from '../operations/pins.ts'
import { type Command, type CommandContext, oneOf } from './command.ts'
import { reviewServers } from './review.ts'
import { type Perform, recordCommand, withOperations } from './with-operations.ts'

/** Sentences of a definition before its diff: what says most to a model. */
const maxSentences = 5

const actions = ['list', 'diff', 'review', 'approve', 'reset'] as const

export const command: Command = {
  usage: `aggregator-mcp pin [list]                        list tools that wait for approval
aggregator-mcp pin diff [SERVER [TOOL …]]        compare them with what was pinned
aggregator-mcp pin review [SERVER …] [--all]     start servers, and show what they offer and what in it
                                                 speaks to the model; --all pins it as reviewed
aggregator-mcp pin approve SERVER TOOL[@HASH] …  pin the current definitions; HASH, as listed, pins
                                                 only what you reviewed
aggregator-mcp pin approve [SERVER] --all        pin all that wait, of a server or of all servers
aggregator-mcp pin approve [SERVER] --read-only  of these, tools that are held only because they are
                                                 new, and that declare to change nothing
aggregator-mcp pin approve [SERVER] --pinned-elsewhere
                                                 of these, definitions that are pinned in another
                                                 account of their server
aggregator-mcp pin reset SERVER [TOOL …]         delete pins; the next definition counts as new

The definition of a tool (name, title, description, schemas, annotations) is pinned when it is first
seen, or with aggregator.trust.new "hold" (the default over HTTP) when approved. A tool that changes,
or hides text, is hidden and cannot be called until approved.
Running aggregators apply it immediately. SERVER is all its accounts, or one: notes@personal.`,
  options: {
    all: { type: 'boolean' },
    'read-only': { type: 'boolean' },
    'pinned-elsewhere': { type: 'boolean' },
  },
  async run(context) {
    const { settings, words, values } = context
    if (settings.state === false && !settings.databaseUrl)
      throw new UsageError('pin: Not available with --no-state.')
    const [word = 'list', server, ...tools] = words
    const action = oneOf(actions, word, 'pin: The action')
    if (action === 'review') {
      const names = words.length > 1 ? words.slice(1) : undefined
      const isApproved = values['all'] === true
      const run = () => reviewServers(names, context, isApproved).then(() => 0)
      return isApproved ? recordCommand(words.join(' '), context, run) : run()
    }
    return withOperations(context, true, ({ state: { pins }, config }, perform) => {
      const units = attempt(() => config().servers.flatMap(unitsOf), undefined)
      const servers = pinsOf(server, pins)
      if (server !== undefined && servers.length === 0)
        throw new UsageError(`pin: No tools of a server ${server} are known yet.`)
      const selected = { server, tools, servers }
      if (action === 'approve') return approve(selected, context, perform)
      if (action === 'reset') return reset(selected, context, perform)
      return show(servers, tools, { isDiff: action === 'diff', units, ...context })
    })
  },
}

/** The words after the action, and the pins of the server, or of all. */
interface Selected {
  server: string | undefined
  tools: readonly string[]
  servers: readonly PinnedServer[]
}

async function approve(
  { server, tools, servers }: Selected,
  { values, print }: CommandContext,
  perform: Perform,
): Promise<number> {
  const readOnly = values['read-only'] === true
  const pinnedElsewhere = values['pinned-elsewhere'] === true
  if (tools.length === 0 && !readOnly && !pinnedElsewhere && values['all'] !== true)
    throw new UsageError(
      server === undefined
        ? 'pin approve: Name a server, or use --all or --read-only for all servers.'
        : `pin approve ${server}: Name tools, or use --all or --read-only.`,
    )
  const picks = servers.flatMap((pinned) => tools.map((name) => namesIn(pinned, name)))
  const hashes = picks.flatMap((pick) => pick.tools.map((tool) => ({ tool, hash: pick.hash })))
  if (tools.length === 0 || hashes.length > 0) {
    const body = { server, readOnly, pinnedElsewhere, ...(tools.length > 0 && { tools: hashes }) }
    const { approved } = await perform('pin approve', approvePins, { body })
    for (const pin of approved) print(`approved: ${pin.server} ${JSON.stringify(pin.tool)}`)
    if (approved.length > 0) return 0
  }
  const outdated = picks.find(({ isOutdated }) => isOutdated)
  if (outdated !== undefined)
    throw new UsageError(`pin: ${outdated.name} changed again. Review it with pin diff.`)
  print('No matching tool waits for approval.')
  return 1
}

async function reset(
  { server, tools, servers }: Selected,
  { print }: CommandContext,
  perform: Perform,
): Promise<number> {
  if (server === undefined) throw new UsageError('pin reset: Name a server.')
  const names = servers.flatMap((pinned) =>
    tools.length > 0
      ? tools.flatMap((name) => namesIn(pinned, name).tools)
      : Object.keys(pinned.pins),
  )
  if (names.length > 0) {
    const body = { server, tools: [...new Set(names)] }
    const done = await perform('pin reset', resetPins, { body })
    for (const pin of done) print(`reset: ${pin.server} ${JSON.stringify(pin.tool)}`)
    if (done.length > 0) return 0
  }
  print('No matching tool is pinned.')
  return 1
}

/** Parse `TOOL[@HASH]`: a tool, and the first 8 digits of its hash, as `show` prints them. */
function readSelection(selections: string): { name: string; hash: string } {
  const [, name = selections, hash = ''] = /^(.*)@([0-9a-f]{8})$/s.exec(selections) ?? []
  return { name, hash }
}

/** Find tools by their name or by the escaped name that `show` prints. */
function namesIn(
  { pins, waiting }: PinnedServer,
  selections: string,
): { name: string; hash: string; tools: string[]; isOutdated: boolean } {
  const { name, hash } = readSelection(selections)
  const all = [...new Set([...Object.keys(waiting), ...Object.keys(pins)])]
  const exact = all.filter((tool) => tool === name)
  const matches = exact.length > 0 ? exact : all.filter((tool) => safeName(tool) === name)
  if (matches.length > 1)
    throw new UsageError(
      `pin: ${matches.length} tools are listed as ${name}. Use --all for all tools of the server.`,
    )
  const [tool] = matches
  const isOutdated = tool !== undefined && hash !== '' && !waiting[tool]?.hash.startsWith(hash)
  return { name, hash, tools: isOutdated ? [] : matches, isOutdated }
}

function show(
  servers: readonly PinnedServer[],
  tools: readonly string[],
  {
    isDiff,
    units,
    print,
  }: Pick<CommandContext, 'print'> & { isDiff: boolean; units: ServerConfig[] | undefined },
): number {
  const selections = tools.map(readSelection)
  const isRequested = (tool: string, hash: string): boolean =>
    selections.length === 0 ||
    selections.some((ref) => [tool, safeName(tool)].includes(ref.name) && hash.startsWith(ref.hash))
  let pinned = 0
  let waitCount = 0
  let example = ''
  for (const pinnedServer of servers) {
    const { server, pins, waiting } = pinnedServer
    pinned += Object.keys(pins).length
    const unit = units?.find((each) => qualifiedName(each) === server)
    // Without a configuration that can be read, all that is stored; else what waits in it.
    const keys = units && new Set(unit ? waitingIn(pinnedServer, unit) : [])
    for (const [tool, { definition, reasons, hash }] of Object.entries(waiting)) {
      if (!isRequested(tool, hash) || keys?.has(tool) === false) continue
      waitCount++
      example ||= `${server} ${JSON.stringify(`${safeName(tool)}@${hash.slice(0, 8)}`)}`
      print(`${server} ${JSON.stringify(tool)}@${hash.slice(0, 8)}: ${reasons.join('; ')}`)
      if (isDiff)
        for (const { text, at } of reviewSentences(definition).slice(0, maxSentences))
          print(`  ${at}: ${text}`)
      if (isDiff) for (const line of diffOf(pins[tool]?.definition, definition)) print(`  ${line}`)
    }
  }
  print(`${countOf(pinned, 'tool')} pinned, ${waitCount} waiting for approval.`)
  if (waitCount > 0)
    print(
      `${isDiff ? '' : 'Review them with: aggregator-mcp pin diff. '}Approve the first with: aggregator-mcp pin approve ${example}`,
    )
  return 0
}
