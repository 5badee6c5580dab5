import { badArgument } from '#servers/protocol/bad-argument'
import type { JsonObject } from '#servers/protocol/message'
import { isAbsent, words } from './arguments.ts'
import { type MetaTool, readsOnly } from './meta-tool.ts'

export const readMore: MetaTool = {
  name: 'read_more',
  description: () =>
    'Read more of a paged result: the next page, matches of a text, or a part by JSONPath.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'string' },
      page: { type: 'string', description: 'As named in the last reply' },
      query: { type: 'string' },
      path: { type: 'string', description: 'Such as $.items[0:5].name' },
    },
    required: ['result'],
  },
  annotations: readsOnly,
  isForLists: true,
  async answer(args, { results }) {
    const id = words(args, 'result')
    const page = isAbsent(args['page']) ? undefined : pageIn(args)
    const [query, path] = ['query', 'path'].map((name) =>
      isAbsent(args[name]) ? undefined : words(args, name),
    )
    if (query !== undefined && path !== undefined)
      throw badArgument('path', path, 'either query or path')
    if (query !== undefined && query.length > maxQueryLength)
      throw badArgument('query', query, `at most ${maxQueryLength} characters`)
    return results.read(id, { page, query, path })
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
