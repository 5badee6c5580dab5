import {
  approveTool,
  diffOf,
  forgetTool,
  isOnlyNew,
  type PinnedServer,
  type PinStore,
} from '@pith-mcp/aggregator'
import { z } from 'zod'
import { countOf } from '../../text-of.ts'
import { costOf } from '../operation/describe-server.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { notFound } from '../operation/problem.ts'
import { named } from '../schemas/named.ts'

const waitingTool = named('WaitingTool', {
  tool: z.string(),
  hash: z.string().describe('Hash of the definition. Pass it back to approve exactly this one.'),
  reasons: z.array(z.string()),
  seenAt: z.string(),
  isNew: z.boolean().describe('Whether no earlier definition was pinned.'),
  diff: z.array(z.string()).describe('Removed and added lines, which begin with "- " and "+ ".'),
  definition: z.record(z.string(), z.unknown()).optional().describe('Absent if it is too long.'),
})

const pinnedServer = named('PinnedServer', {
  server: z.string(),
  source: z.string().describe('The program or URL of the server.'),
  pinned: z.int(),
  waiting: z.array(waitingTool),
})

const approval = named('Approval', {
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

const approved = named('Approved', {
  approved: z.array(z.object({ server: z.string(), tool: z.string() })),
  changed: z.array(z.string()).describe('Tools whose definition changed since. Review them again.'),
})

const pinReset = named('PinReset', {
  server: z.string(),
  tools: z.array(z.string()).optional().describe('Default: all tools of the server.'),
})

const tag = 'pins'
/** Lines in the diff of a definition. */
const maxLines = 400
/** Tokens of a definition: a longer one is omitted. */
const maxDefinitionLength = 20_000

export const pinOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/pins',
    tag,
    summary: 'Pins, and tools that wait for approval with what changed.',
    answer: z.object({ servers: z.array(pinnedServer) }),
    run: (_, { pins: store }) => ({
      servers: store.all().map(({ server, source, pins, waiting }) => ({
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
            diff:
              more > 0 ? [...diff.slice(0, maxLines), `  … ${countOf(more, 'more line')}`] : diff,
            ...(costOf(definition) <= maxDefinitionLength && { definition }),
          }
        }),
      })),
    }),
  }),
  operation({
    method: 'post',
    path: '/pins/approve',
    tag,
    summary: 'Approve the reviewed definitions by hash, or all that wait now.',
    body: approval,
    as: ({ body: { server = '--all' } }) => `pin approve ${server}`,
    answer: approved,
    run({ body }, { pins: store, live }) {
      if (body.server !== undefined) sourcesOf(body.server, store)
      const answer = approvePins(store, body)
      live.changed('pins')
      return answer
    },
  }),
  operation({
    method: 'post',
    path: '/pins/reset',
    tag,
    summary: 'Delete pins: the next definition that is seen counts as new.',
    body: pinReset,
    as: ({ body: { server } }) => `pin reset ${server}`,
    run({ body: { server, tools } }, { pins: store, live }) {
      for (const { source } of sourcesOf(server, store))
        store.change(server, source, (pinned) => {
          for (const tool of tools ?? Object.keys({ ...pinned.pins, ...pinned.waiting }))
            forgetTool(pinned, tool)
        })
      live.changed('pins')
    },
  }),
]

/** Pins definitions that wait for approval; of all accounts of a server, unless one is named. */
export function approvePins(
  store: PinStore,
  { server, tools, readOnly = false }: z.output<typeof approval>,
): z.output<typeof approved> {
  // An edit may run again, on a newer version.
  const done = new Map<string, { server: string; tool: string }>()
  const found = store.all().filter((one) => server === undefined || isOfServer(one.server, server))
  for (const { server: unit, source } of found)
    store.change(unit, source, (pinned) => {
      const chosen = tools ?? Object.keys(pinned.waiting).map((tool) => ({ tool, hash: '' }))
      for (const { tool, hash } of chosen)
        if (
          (!readOnly || isNewAndReadOnly(pinned.waiting[tool])) &&
          approveTool(pinned, tool, hash)
        )
          done.set(JSON.stringify([unit, tool]), { server: unit, tool })
    })
  const approvedTools = new Set([...done.values()].map(({ tool }) => tool))
  const changed = (tools ?? []).map(({ tool }) => tool).filter((tool) => !approvedTools.has(tool))
  return { approved: [...done.values()], changed }
}

/** `name` is a server, which matches all its accounts, or one account. */
export const isOfServer = (unit: string, name: string): boolean =>
  unit === name || unit.startsWith(`${name}@`)

/** What a tool declares of itself must not excuse what it is suspected of. */
function isNewAndReadOnly(waiting: PinnedServer['waiting'][string] | undefined): boolean {
  const { readOnlyHint } = (waiting?.definition['annotations'] ?? {}) as { readOnlyHint?: unknown }
  return readOnlyHint === true && waiting !== undefined && isOnlyNew(waiting)
}

function sourcesOf(
  server: string,
  store: { all(): { server: string; source: string }[] },
): { source: string }[] {
  const found = store.all().filter((one) => isOfServer(one.server, server))
  if (found.length === 0) throw notFound(`pin of a server ${JSON.stringify(server)}`)
  return found
}
