import { join } from 'node:path'
import {
  approveTool,
  createFilePinStore,
  diffOf,
  forgetTool,
  type PinnedServer,
  safeName,
} from '@pith-mcp/aggregator'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandContext } from './command.ts'

const actions = ['list', 'diff', 'approve', 'reset'] as const

export const command: Command = {
  usage: `aggregator-mcp pin [list]                      tools that wait for approval
aggregator-mcp pin diff [SERVER [TOOL …]]        what they say now, beside what was pinned
aggregator-mcp pin approve SERVER [TOOL[@HASH] …]  pin what they say now; --all for all of the
                                                 server; with HASH, as listed, what was looked at
aggregator-mcp pin reset SERVER [TOOL …]         forget what was pinned: the next sight counts

The definition of a tool (name, title, description, schemas, annotations) is pinned when it is first
seen. One that changes, or that speaks to the model, is not shown and not called until it is approved.
Running aggregators heed it at once. SERVER is all its accounts, or one of them: notes@personal.`,
  options: { all: { type: 'boolean' } },
  async run(context) {
    const { settings, words, log } = context
    if (settings.state === false) throw new UsageError('pin: nothing is kept with --no-state.')
    const [action = 'list', server, ...tools] = words
    if (!isAction(action)) throw new UsageError(`pin ${action}: it is ${actions.join(', ')}.`)
    const store = createFilePinStore(join(settings.state, 'pins'), log)
    const found = store.all().filter((one) => server === undefined || isOf(one, server))
    if (server !== undefined && found.length === 0)
      throw new UsageError(`pin: nothing is known of a server ${server} yet.`)
    switch (action) {
      case 'list':
      case 'diff':
        return show(found, tools, action === 'diff', context)
      case 'approve':
        if (server === undefined) throw new UsageError('pin approve: name a server.')
        if (tools.length === 0 && context.values['all'] !== true)
          throw new UsageError(`pin approve ${server}: name tools, or give --all.`)
        return change(found, tools, context, approveTool)
      case 'reset':
        if (server === undefined) throw new UsageError('pin reset: name a server.')
        return change(found, tools, context, forgetTool)
    }

    function change(
      pinnedServers: readonly PinnedServer[],
      wanted: readonly string[],
      { print }: CommandContext,
      edit: (pinned: PinnedServer, tool: string) => boolean,
    ): number {
      const done: string[] = []
      const outdated = new Set<string>()
      for (const { server, source } of pinnedServers)
        store.change(server, source, (pinned) => {
          const chosen = wanted.map((name) => namesIn(pinned, name))
          for (const { name, isOutdated } of chosen) if (isOutdated) outdated.add(name)
          const names =
            wanted.length > 0
              ? chosen.flatMap((one) => one.tools)
              : Object.keys(action === 'approve' ? pinned.waiting : pinned.pins)
          for (const tool of names)
            if (edit(pinned, tool)) done.push(`${server} ${JSON.stringify(tool)}`)
        })
      for (const one of done) print(`${action === 'approve' ? 'approved' : 'forgotten'}: ${one}`)
      if (done.length > 0) return 0
      const [name] = outdated
      if (name !== undefined)
        throw new UsageError(`pin: ${name} is not what it was any more; look again by pin diff.`)
      print('Nothing of that name waits.')
      return 1
    }
  },
}

const isAction = (word: string): word is (typeof actions)[number] =>
  (actions as readonly string[]).includes(word)

/** A server, whatever its account, or one account of it. */
const isOf = ({ server }: PinnedServer, name: string): boolean =>
  server === name || server.startsWith(`${name}@`)

/** A tool, and the beginning of the hash of what was looked at, as `show` prints them. */
function readWanted(wanted: string): { name: string; hash: string } {
  const [, name = wanted, hash = ''] = /^(.*)@([0-9a-f]{8})$/s.exec(wanted) ?? []
  return { name, hash }
}

/** As it is called, or as it was shown. What was looked at may have changed since. */
function namesIn(
  { pins, waiting }: PinnedServer,
  wanted: string,
): { name: string; tools: string[]; isOutdated: boolean } {
  const { name, hash } = readWanted(wanted)
  const all = [...new Set([...Object.keys(waiting), ...Object.keys(pins)])]
  const exact = all.filter((one) => one === name)
  const found = exact.length > 0 ? exact : all.filter((one) => safeName(one) === name)
  if (found.length > 1)
    throw new UsageError(
      `pin: ${found.length} tools are shown as ${name}; --all takes all of the server.`,
    )
  const [one] = found
  const isOutdated = one !== undefined && hash !== '' && !waiting[one]?.hash.startsWith(hash)
  return { name, tools: isOutdated ? [] : found, isOutdated }
}

function show(
  servers: readonly PinnedServer[],
  tools: readonly string[],
  isDiff: boolean,
  { print }: CommandContext,
): number {
  const wanted = tools.map(readWanted)
  const isWanted = (tool: string, hash: string): boolean =>
    wanted.length === 0 ||
    wanted.some((one) => [tool, safeName(tool)].includes(one.name) && hash.startsWith(one.hash))
  let pinned = 0
  let waits = 0
  let example = ''
  for (const { server, pins, waiting } of servers) {
    pinned += Object.keys(pins).length
    for (const [tool, { definition, reasons, hash }] of Object.entries(waiting)) {
      if (!isWanted(tool, hash)) continue
      waits++
      example ||= `${server} ${JSON.stringify(`${safeName(tool)}@${hash.slice(0, 8)}`)}`
      print(`${server} ${JSON.stringify(tool)}@${hash.slice(0, 8)}: ${reasons.join('; ')}`)
      if (isDiff) for (const line of diffOf(pins[tool]?.definition, definition)) print(`  ${line}`)
    }
  }
  print(`${pinned} tools pinned, ${waits} wait for approval.`)
  if (waits > 0)
    print(
      `${isDiff ? '' : 'aggregator-mcp pin diff has what they say; '}this approves the first: aggregator-mcp pin approve ${example}`,
    )
  return 0
}
