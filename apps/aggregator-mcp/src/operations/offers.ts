import { unitName } from '@pith-mcp/aggregator'
import { z } from 'zod'
import { ownerView } from './context.ts'
import { component, type Operation, operation } from './operation.ts'
import { unitCalled } from './servers.ts'
import { outcomeOf, resultOf, toolOutcome } from './tools.ts'

const definition = z.record(z.string(), z.unknown()).describe('As the server returned it.')

const serverOffers = component('ServerOffers', {
  prompts: z.array(z.object({ name: z.string().describe('As clients see it.'), definition })),
  resources: z.array(z.object({ uri: z.string().describe('As clients see it.'), definition })),
  templates: z.array(z.object({ uri: z.string(), definition })),
  others: z.int().describe('How many were omitted.'),
})

const readOutcome = toolOutcome
  .extend({ cut: z.int().describe('Characters of texts that were omitted.') })
  .meta({ id: 'ReadOutcome' })

/** Of each kind. */
const maxItems = 200
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

const reading = (method: string, summary: string, body: z.ZodObject): Operation =>
  operation({
    method: 'post',
    path: `/${method}`,
    summary,
    body,
    answer: readOutcome,
    async run(params, { aggregator }, performer) {
      const outcome = await outcomeOf(() => resultOf(aggregator, { method, params }, performer))
      return { ...outcome, ...withinBounds(outcome.result) }
    },
  })

export const offerOperations: readonly Operation[] = [
  operation({
    method: 'get',
    path: '/servers/{unit}/offers',
    summary: 'List the prompts and resources of a server, as far as they are known.',
    answer: serverOffers,
    run({ unit }, context) {
      const { name } = unitCalled(unit, context)
      const view = ownerView(context)
      const ownedBy = (kind: 'uri' | 'uriTemplate') => (item: Record<string, unknown>) => {
        const uri = String(item[kind])
        const owner = kind === 'uri' ? view.ownerOfResource(uri) : view.ownerOfTemplate(uri)
        return owner && unitName(owner.server) === unit ? [{ uri, definition: item }] : []
      }
      const prompts = view.prompts
        .filter(({ server }) => server.name === name)
        .map(({ exposed, definition }) => ({ name: exposed, definition }))
      const resources = view.resources.flatMap(ownedBy('uri'))
      const templates = view.resourceTemplates.flatMap(ownedBy('uriTemplate'))
      const beyond = [prompts, resources, templates].map(({ length }) => length - maxItems)
      return {
        prompts: prompts.slice(0, maxItems),
        resources: resources.slice(0, maxItems),
        templates: templates.slice(0, maxItems),
        others: beyond.reduce((sum, count) => sum + Math.max(0, count), 0),
      }
    },
  }),
  reading(
    'prompts/get',
    'Get a prompt as a client would.',
    component('PromptCall', {
      name: z.string(),
      arguments: z.record(z.string(), z.string()).default({}),
    }),
  ),
  reading(
    'resources/read',
    'Read a resource as a client would.',
    component('ResourceRead', { uri: z.string() }),
  ),
]
