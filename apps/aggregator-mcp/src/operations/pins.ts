import {
  approveTool,
  diffOf,
  forgetTool,
  isOnlyNew,
  type PinnedServer,
  type PinStore,
} from '@pith-mcp/aggregator'
import { z } from 'zod'
import { countOf } from '../text-of.ts'
import type { StateContext } from './context.ts'
import { costOf } from './described-server.ts'
import { component, type Operation, operation } from './operation.ts'
import { notFound } from './problem.ts'

const waitingTool = component('WaitingTool', {
  tool: z.string(),
  hash: z.string().describe('Hash of the definition. Pass it back to approve exactly this one.'),
  reasons: z.array(z.string()),
  seenAt: z.string(),
  isNew: z.boolean().describe('Whether no earlier definition was pinned.'),
  diff: z.array(z.string()).describe('Removed and added lines, which begin with "- " and "+ ".'),
  definition: z.record(z.string(), z.unknown()).optional().describe('Absent if it is too long.'),
})

const pinnedServer = component('PinnedServer', {
  server: z.string(),
  source: z.string().describe('The program or URL of the server.'),
  pinned: z.int(),
  waiting: z.array(waitingTool),
})

const approval = component('Approval', {
  server: z.string().optional().describe('Default: all servers. Required with tools.'),
  tools: z
    .array(z.object({ tool: z.string(), hash: z.string() }))
    .min(1)
    .max(1_000)
    .optional()
    .describe('The reviewed definitions. Default: all that wait.'),
  readOnly: z
    .boolean()
    .optional()
    .describe('Only tools that are held for being new, and that declare to change nothing.'),
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
/** Tokens of a definition: a longer one is omitted. */
const maxDefinitionLength = 20_000

const listPins = operation({
  method: 'get',
  path: '/pins',
  summary: 'Pins, and tools that wait for approval with what changed.',
  answer: z.object({ servers: z.array(pinnedServer) }),
  run: (_, { state: { pins } }) => ({
    servers: pins.all().map(({ server, source, pins, waiting }) => ({
      server,
      source,
      pinned: Object.keys(pins).length,
      waiting: Object.entries(waiting).map(([tool, { hash, reasons, seenAt, definition }]) => {
        const diff = diffOf(pins[tool]?.definition, definition)
        const more = diff.length - maxLines
        return {
          tool,
          hash,
          reasons,
          seenAt: new Date(seenAt).toISOString(),
          isNew: pins[tool] === undefined,
          diff: more > 0 ? [...diff.slice(0, maxLines), `  … ${countOf(more, 'more line')}`] : diff,
          ...(costOf(definition) <= maxDefinitionLength && { definition }),
        }
      }),
    })),
  }),
})

/** Approve the reviewed definitions by hash, of all accounts of a server unless one is named. */
export const approvePins = operation({
  method: 'post',
  path: '/pins/approve',
  summary: 'Approve the reviewed definitions by hash, or all that wait now.',
  body: approval,
  audit: ({ server = '--all' }) => `pin approve ${server}`,
  answer: approved,
  run({ server, tools, readOnly = false }, { state: { pins }, changed }: StateContext) {
    const servers = knownPins(server, pins)
    const done = createDone()
    for (const { server: unit, source } of servers)
      pins.change(unit, source, (pinned) => {
        const selection = tools ?? Object.keys(pinned.waiting).map((tool) => ({ tool, hash: '' }))
        for (const { tool, hash } of selection)
          if (
            (!readOnly || isNewAndReadOnly(pinned.waiting[tool])) &&
            approveTool(pinned, tool, hash)
          )
            done.add(unit, tool)
      })
    changed('pins')
    const approved = done.all()
    const approvedTools = new Set(approved.map(({ tool }) => tool))
    return {
      approved,
      changed: (tools ?? []).map(({ tool }) => tool).filter((tool) => !approvedTools.has(tool)),
    }
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

export const pinOperations: readonly Operation[] = [listPins, approvePins, resetPins]

/** Of a server with all its accounts, or of one account; of all servers without a name. */
export const pinsOf = (name: string | undefined, pins: PinStore): PinnedServer[] =>
  pins
    .all()
    .filter(({ server }) => name === undefined || server === name || server.startsWith(`${name}@`))

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

/** What a tool declares of itself must not excuse what it is suspected of. */
function isNewAndReadOnly(tool: PinnedServer['waiting'][string] | undefined): boolean {
  const { readOnlyHint } = (tool?.definition['annotations'] ?? {}) as { readOnlyHint?: unknown }
  return readOnlyHint === true && tool !== undefined && isOnlyNew(tool)
}
