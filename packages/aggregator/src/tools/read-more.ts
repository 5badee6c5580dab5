import { badArgument } from '#servers/protocol/bad-argument'
import type { JsonObject } from '#servers/protocol/message'
import { wantedIn } from '../call/results/select.ts'
import { isAbsent, selectProperty, words } from './arguments.ts'
import { type MetaTool, readsOnly } from './meta-tool.ts'

export const readMore: MetaTool = {
  name: 'read_more',
  description: () =>
    'Read more of a paged result: the page it names, matches of a text, or a selection.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'string' },
      page: { type: 'string' },
      query: { type: 'string' },
      select: selectProperty,
    },
    required: ['result'],
  },
  alsoTaken: ['path', 'format'],
  annotations: readsOnly,
  isForLists: true,
  async answer(args, { results }) {
    const id = words(args, 'result')
    const page = isAbsent(args['page']) ? undefined : pageIn(args)
    const query = isAbsent(args['query']) ? undefined : words(args, 'query')
    const path = isAbsent(args['path']) ? undefined : words(args, 'path')
    const select = await wantedIn(args['select'] ?? path)
    if (query !== undefined && select !== undefined)
      throw badArgument('query', query, 'either query or select')
    if (query !== undefined && query.length > maxQueryLength)
      throw badArgument('query', query, `at most ${maxQueryLength} characters`)
    const { format } = args
    if (!isAbsent(format) && format !== 'json') throw badArgument('format', format, 'json')
    return results.read(id, { page, query, select, ...(format === 'json' && { format }) })
  },
}

const maxQueryLength = 500

/** Models may pass a page number instead of the page token. */
function pageIn(args: JsonObject): string {
  if (typeof args['page'] === 'number')
    throw badArgument(
      'page',
      args['page'],
      'the page named in the last reply, or no page for the first one',
    )
  return words(args, 'page')
}
