import { qualifiedName } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { ownerView } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { unitCalled } from './servers.ts'
import { outcomeOf, resultOf, toolOutcome } from './tools.ts'

const kind = z.enum(['prompt', 'resource', 'template'])
const item = component('ServerItem', {
  kind,
  name: z.string().describe('The name, URI or template of a URI that clients see.'),
  definition: z.record(z.string(), z.unknown()).describe('As the server returned it.'),
})

/** Of one server. */
const maxItems = 500
/** Characters of all texts of a result; clients get all of it. */
const maxCharacters = 200_000

/** Texts beyond a length are cut, and counted. */
function withinBounds(result: Record<string, unknown>) {
  let room = maxCharacters
  let cut = 0
  const text = JSON.stringify(result, (_, value) => {
    if (typeof value !== 'string') return value
    const part = value.slice(0, room)
    room -= part.length
    cut += value.length - part.length
    return part
  })
  return { result: JSON.parse(text) as Record<string, unknown>, cut }
}

export const serverItemOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/servers/{unit}/items',
    summary: 'List the prompts, resources and templates of a server, as far as they are known.',
    answer: z.object({
      items: z.array(item),
      others: z.int().describe('How many were omitted.'),
    }),
    run({ unit }, context) {
      const { name: server } = unitCalled(unit, context)
      const view = ownerView(context)
      const all = [
        ...view.prompts.flatMap(({ server: { name }, exposed, definition }) =>
          name === server ? { kind: 'prompt' as const, name: exposed, definition } : [],
        ),
        ...[...view.resources, ...view.resourceTemplates].flatMap((definition) => {
          const { uri, uriTemplate } = definition
          const kind = uri === undefined ? ('template' as const) : ('resource' as const)
          const name = String(uri ?? uriTemplate)
          const owner = view.ownerOfResource(name) ?? view.ownerOfTemplate(name)
          return owner && qualifiedName(owner.server) === unit ? { kind, name, definition } : []
        }),
      ]
      return {
        items: all.slice(0, maxItems),
        others: Math.max(0, all.length - maxItems),
      }
    },
  }),
  operation({
    method: 'post',
    path: '/items/get',
    summary: 'Get a prompt or read a resource as a client would. It is recorded in the journal.',
    body: component('ItemGet', {
      kind,
      name: z.string().describe('The name of a prompt, or a URI.'),
      arguments: z.record(z.string(), z.string()).optional(),
    }),
    answer: toolOutcome
      .extend({ cut: z.int().describe('Characters of texts that were omitted.') })
      .meta({ id: 'ItemOutcome' }),
    async run({ kind, name, arguments: args }, { aggregator }, performer) {
      const message =
        kind === 'prompt'
          ? { method: 'prompts/get', params: { name, arguments: args } }
          : { method: 'resources/read', params: { uri: name } }
      const outcome = await outcomeOf(() => resultOf(aggregator, message, performer))
      return { ...outcome, ...withinBounds(outcome.result) }
    },
  }),
]
