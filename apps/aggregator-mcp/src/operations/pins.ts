import {
  approveTool,
  causesOf,
  diffOf,
  forgetTool,
  isMarked,
  isOffered,
  isOnlyNew,
  isPinOf,
  type PinnedServer,
  type PinStore,
  reviewSentences,
  waitingIn,
} from '@pith-mcp/aggregator'
import { countOf } from '@pith-mcp/base/count-of'
import { z } from 'zod'
import type { OperationContext, StateContext } from './context.ts'
import { declaredHints, hintsOf } from './declared-hints.ts'
import { changesOf, definitionChange } from './definition-changes.ts'
import { costOf } from './described-server.ts'
import { component, type Operation, operation } from './operation.ts'
import { notFound } from './problem.ts'

const waitingTool = component('WaitingTool', {
  tool: z.string(),
  hash: z.string().describe('Hash of the definition. Pass it back to approve exactly this one.'),
  pinnedHash: z.string().optional().describe('Hash of the definition that it would replace.'),
  reasons: z.array(z.string()),
  seenAt: z.string(),
  isChanged: z.boolean().describe('It, or its interface, differs from what was pinned.'),
  hasFindings: z.boolean().describe('Its name or text holds it, or a sentence of it is marked.'),
  ...declaredHints,
  isPinnedElsewhere: z.boolean().describe('Pinned in another account of its server, as it is.'),
  isExcluded: z.boolean().describe('No client can use it: the rules of its server exclude it.'),
})

const pinnedServer = component('PinnedServer', {
  server: z.string(),
  source: z.string().describe('The program or URL of the server.'),
  pinned: z.int(),
  waitCount: z.int().describe('Tools that need an approval, also omitted ones.'),
  waiting: z.array(waitingTool),
  omitted: z.int().describe('Tools that wait and are not listed: all lists together are bounded.'),
})

const waitingDefinition = component('WaitingDefinition', {
  sentences: z
    .array(
      z.object({
        text: z.string(),
        at: z.string(),
        signs: z.array(z.string()),
        places: z
          .array(z.array(z.int()).length(2))
          .describe('What shows the signs: where each begins and ends in the text.'),
      }),
    )
    .describe('What says most to a model, first.'),
  changes: z.array(definitionChange).describe('The diff by the part that changed.'),
  diff: z.array(z.string()).describe('Lines that begin with "- " and "+ "; empty for a new tool.'),
  definition: z.record(z.string(), z.unknown()).optional().describe('Absent if it is too long.'),
})

const approvedItem = z.object({
  server: z.string().optional().describe('Default: that of the approval.'),
  tool: z.string(),
  hash: z.string(),
})

const approval = component('Approval', {
  server: z.string().optional().describe('With all its accounts, or one. Default: all servers.'),
  tools: z
    .array(approvedItem)
    .min(1)
    .max(10_000)
    .optional()
    .describe('The reviewed definitions. Default: all that wait.'),
  readOnly: z
    .boolean()
    .optional()
    .describe('Only tools that are held for being new, and that declare to change nothing.'),
  pinnedElsewhere: z
    .boolean()
    .optional()
    .describe('Only definitions that are pinned in another account of their server.'),
})

const approved = component('Approved', {
  approved: z.array(z.object({ server: z.string(), tool: z.string() })),
  changed: z.array(z.string()).describe('Tools whose definition changed since. Review them again.'),
})

const pinReset = component('PinReset', {
  server: z.string(),
  tools: z.array(z.string()).optional().describe('Default: all tools of the server.'),
})

/** Lines in the diff of a definition. */
const maxLines = 400
/** Sentences that are shown before a diff. */
const maxSentences = 5
/** Tokens of a definition: a longer one is omitted. */
const maxDefinitionLength = 20_000
/** Bytes of the waiting tools as JSON. One has over 250: a request can approve all of them. */
const maxListLength = 2_500_000

const listPins = operation({
  method: 'get',
  path: '/pins',
  summary: 'Pins, and tools that wait for approval.',
  answer: z.object({ servers: z.array(pinnedServer) }),
  run(_, { state, aggregator }) {
    const all = state.pins.all()
    let length = 0
    return {
      servers: all.map((pinned) => {
        const unit = aggregator.gateway.fleet.units.get(pinned.server)
        // Nothing of a server that is disabled or gone waits for anyone.
        const tools = Object.entries(unit && isPinOf(pinned, unit) ? pinned.waiting : {}).map(
          ([tool, candidate]) => {
            const flags = flagsOf(tool, candidate, pinned, all)
            return {
              tool,
              hash: candidate.hash,
              pinnedHash: pinned.pins[tool]?.hash,
              reasons: candidate.reasons,
              seenAt: new Date(candidate.seenAt).toISOString(),
              ...flags,
              // Rules are for tools, which have hints.
              isExcluded:
                !!unit && !!flags.declared && !isOffered(tool, candidate.definition, unit),
            }
          },
        )
        const list = tools.filter((tool) => {
          length += Buffer.byteLength(JSON.stringify(tool))
          return length <= maxListLength
        })
        return {
          server: pinned.server,
          source: pinned.source,
          pinned: Object.keys(pinned.pins).length,
          waitCount: unit ? waitingIn(pinned, unit).length : 0,
          waiting: list,
          omitted: tools.length - list.length,
        }
      }),
    }
  },
})

const getWaitingDefinition = operation({
  method: 'get',
  path: '/pins/definition',
  summary: 'Get a definition that waits for approval, with what changed.',
  query: z.object({ server: z.string(), tool: z.string(), hash: z.string() }),
  answer: waitingDefinition,
  run({ server, tool, hash }, { state }: OperationContext) {
    const pinned = state.pins
      .all()
      .find((each) => each.server === server && each.waiting[tool]?.hash === hash)
    const definition = pinned?.waiting[tool]?.definition
    if (pinned === undefined || definition === undefined)
      throw notFound(
        `tool ${JSON.stringify(tool)} of ${server} that waits with this definition`,
        'It was approved, or has changed again. GET /pins lists what waits.',
      )
    const before = pinned.pins[tool]?.definition
    const sentences = reviewSentences(definition).slice(0, maxSentences)
    return {
      sentences: sentences.map(({ text, at, signs, places }) => ({
        ...{ text, at, signs: [...signs] },
        places: places.map(([start, end]) => [start, end]),
      })),
      changes: (before ? changesOf(before, definition) : []).map(({ lines, ...change }) => ({
        ...change,
        lines: clipped(lines),
      })),
      diff: before ? clipped(diffOf(before, definition)) : [],
      ...(costOf(definition) <= maxDefinitionLength && { definition }),
    }
  },
})

const clipped = (lines: string[]): string[] =>
  lines.length > maxLines
    ? [...lines.slice(0, maxLines), `  … ${countOf(lines.length - maxLines, 'more line')}`]
    : lines

/** Approve the reviewed definitions by hash, of all accounts of a server unless one is named. */
export const approvePins = operation({
  method: 'post',
  path: '/pins/approve',
  summary: 'Approve the reviewed definitions by hash, or all that wait now.',
  body: approval,
  audit({ server, tools = [], readOnly, pinnedElsewhere }) {
    const names = new Set([server, ...tools.map((item) => item.server)])
    const flags = [readOnly && '--read-only', pinnedElsewhere && '--pinned-elsewhere']
    const words = [...names, ...flags].filter(Boolean)
    return `pin approve ${words.join(' ') || '--all'}`
  },
  answer: approved,
  run({ server, tools, readOnly, pinnedElsewhere }, { state: { pins }, changed }: StateContext) {
    const all = pins.all()
    const done = createDone()
    const good = new Set<object>()
    for (const { server: unit, source, waiting } of knownPins(server, pins)) {
      const items = tools?.filter((item) => isOf(unit, item.server))
      const selection = items ?? Object.keys(waiting).map((tool) => ({ tool, hash: '' }))
      if (selection.length === 0) continue
      pins.change(unit, source, (pinned) => {
        for (const item of selection) {
          const candidate = pinned.waiting[item.tool]
          if (candidate === undefined) continue
          const flags = flagsOf(item.tool, candidate, pinned, all)
          if (pinnedElsewhere && !flags.isPinnedElsewhere) continue
          // What a tool declares of itself must not excuse what it is suspected of.
          if (readOnly && !(flags.isReadOnly && !flags.hasFindings && isOnlyNew(candidate)))
            continue
          if (!approveTool(pinned, item.tool, item.hash)) continue
          done.add(unit, item.tool)
          good.add(item)
        }
      })
    }
    changed('pins')
    const outdated = (tools ?? []).filter((item) => !good.has(item))
    return { approved: done.all(), changed: outdated.map(({ tool }) => tool) }
  },
})

export const resetPins = operation({
  method: 'post',
  path: '/pins/reset',
  summary: 'Delete pins: the next definition that is seen counts as new.',
  body: pinReset,
  audit: ({ server }) => `pin reset ${server}`,
  run({ server, tools }, { state: { pins }, changed }: StateContext) {
    const done = createDone()
    for (const { server: unit, source } of knownPins(server, pins))
      pins.change(unit, source, (pinned) => {
        for (const tool of tools ?? Object.keys({ ...pinned.pins, ...pinned.waiting }))
          if (forgetTool(pinned, tool)) done.add(unit, tool)
      })
    changed('pins')
    return done.all()
  },
})

export const pinOperations: readonly Operation[] = [
  listPins,
  getWaitingDefinition,
  approvePins,
  resetPins,
]

/** Of a server with all its accounts, or of one account; of all servers without a name. */
export const pinsOf = (name: string | undefined, pins: PinStore): PinnedServer[] =>
  pins.all().filter(({ server }) => isOf(server, name))

const isOf = (unit: string, name: string | undefined): boolean =>
  name === undefined || unit === name || unit.startsWith(`${name}@`)

/** @throws {ApiError} 404 for a name without pins */
function knownPins(name: string | undefined, pins: PinStore): PinnedServer[] {
  const servers = pinsOf(name, pins)
  if (name === undefined || servers.length > 0) return servers
  throw notFound(`pin of a server ${JSON.stringify(name)}`)
}

/** The tools of an edit, once each: it may run again, on a newer version. */
function createDone() {
  const done = new Map<string, { server: string; tool: string }>()
  return {
    add: (server: string, tool: string) =>
      void done.set(JSON.stringify([server, tool]), { server, tool }),
    all: () => [...done.values()],
  }
}

type Waiting = PinnedServer['waiting'][string]

/** What a reviewer sorts by. A pin without an approval excuses no finding. */
function flagsOf(
  tool: string,
  candidate: Waiting,
  { server }: PinnedServer,
  all: readonly PinnedServer[],
) {
  const causes = causesOf(candidate)
  const [name] = server.split('@')
  const isPinnedElsewhere = all.some(({ server: unit, pins: { [tool]: pin } }) => {
    if (pin?.hash !== candidate.hash || unit === server || !isOf(unit, name)) return false
    return pin.isApproved === true || !causes.hasFindings
  })
  const hasFindings = causes.hasFindings || isMarked(candidate.definition)
  return { ...causes, hasFindings, ...hintsOf(tool, candidate.definition), isPinnedElsewhere }
}
