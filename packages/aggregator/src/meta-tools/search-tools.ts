import type { IndexedRanker } from '@pith-mcp/scorer'
import type { Offer, View } from '../catalog/view.ts'
import { signatureOf, summaryOf } from '../disclosure/signature.ts'
import { resolveModule } from '../names/resolve-tool.ts'
import { shown } from '../shown.ts'
import { isAbsent, wholeNumber, words } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'

const mostHits = 50

/** A tool as the scorer takes it, with its way back. */
interface Candidate {
  name: string
  title: string | undefined
  description: string | undefined
  inputSchema: unknown
  server: string
  offer: Offer
}

export const searchTools: MetaTool = {
  name: 'search_tools',
  description: () =>
    'Find tools of all modules by what they do. Name service, verb and object, one capability a call: "github create issue". Gives signatures to use with call; * marks required parameters.',
  inputSchema: {
    type: 'object',
    properties: {
      query: { type: 'string' },
      server: { type: 'string', description: 'Only this module' },
      limit: { type: 'integer', minimum: 1, maximum: mostHits, default: 5 },
    },
    required: ['query'],
  },
  annotations: readsOnly,
  async answer(args, { session, capabilities }, { gateway }) {
    const query = words(args, 'query')
    const limit = wholeNumber(args, 'limit', 1, mostHits) ?? 5
    const only = isAbsent(args['server'])
      ? undefined
      : (await resolveModule(words(args, 'server'), gateway.servers)).found.name
    await gateway.discover(session, capabilities)
    const view = gateway.viewFor(capabilities)
    const hits = (await rankerFor(view))
      .rank(query, only === undefined ? { limit } : {})
      .filter(({ item }) => only === undefined || item.server === only)
      .slice(0, limit)
    const lines = hits.map(({ item: { offer } }) => {
      const summary = summaryOf(offer.definition)
      return `${signatureOf(`${offer.server.name}.${offer.name}`, offer.definition)}${summary ? ` — ${summary}` : ''}`
    })
    const absent = view.unknown.map(({ name }) => name)
    if (lines.length === 0) lines.push(`No tool of ${view.tools.length} matches ${shown(query)}.`)
    if (absent.length > 0)
      lines.push(`Not searched, since they have not answered: ${absent.join(', ')}.`)
    return textResult(lines.join('\n'))
  },
}

const rankers = new WeakMap<View, IndexedRanker<Candidate>>()

/** Made once for what is known. */
async function rankerFor(view: View): Promise<IndexedRanker<Candidate>> {
  const { createToolRanker } = await import('@pith-mcp/scorer')
  let ranker = rankers.get(view)
  if (ranker === undefined) {
    ranker = createToolRanker(view.tools.map(candidateOf))
    rankers.set(view, ranker)
  }
  return ranker
}

const candidateOf = (offer: Offer): Candidate => ({
  name: offer.name,
  title: offer.definition['title'] as string | undefined,
  description: offer.definition['description'] as string | undefined,
  inputSchema: offer.definition['inputSchema'],
  server: offer.server.name,
  offer,
})
