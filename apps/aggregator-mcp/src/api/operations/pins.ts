import { approveTool, diffOf, forgetTool } from '@pith-mcp/aggregator'
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
  server: z.string(),
  tools: z
    .array(z.object({ tool: z.string(), hash: z.string() }))
    .min(1)
    .max(1_000),
})

const approved = named('Approved', {
  approved: z.array(z.string()),
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
    summary: 'Approve the reviewed definitions, by hash.',
    body: approval,
    answer: approved,
    run({ body: { server, tools } }, { pins: store, live }) {
      // An edit may run again, on a newer version.
      const done = new Set<string>()
      for (const { source } of sourcesOf(server, store))
        store.change(server, source, (pinned) => {
          for (const { tool, hash } of tools) if (approveTool(pinned, tool, hash)) done.add(tool)
        })
      live.changed('pins')
      const changed = tools.map(({ tool }) => tool).filter((tool) => !done.has(tool))
      return { approved: [...done], changed }
    },
  }),
  operation({
    method: 'post',
    path: '/pins/reset',
    tag,
    summary: 'Delete pins: the next definition that is seen counts as new.',
    body: pinReset,
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

function sourcesOf(
  server: string,
  store: { all(): { server: string; source: string }[] },
): { source: string }[] {
  const found = store.all().filter((one) => one.server === server)
  if (found.length === 0) throw notFound(`pin of a server ${JSON.stringify(server)}`)
  return found
}
