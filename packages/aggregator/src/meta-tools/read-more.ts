import { documentOf } from '../results/document.ts'
import { jsonPath } from '../results/json-path.ts'
import { matchesIn } from '../results/matches-in.ts'
import { outlineOf } from '../results/outline.ts'
import { badArgument, words } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'

export const readMore: MetaTool = {
  name: 'read_more',
  description: () =>
    'Read on in a result that came in pages: the next page, the places of a text, or a part by JSONPath.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'string' },
      page: { type: 'string' },
      query: { type: 'string' },
      path: { type: 'string', description: 'Such as $.items[0:5].name' },
    },
    required: ['result'],
  },
  annotations: readsOnly,
  isForLists: true,
  async answer(args, _exchange, { results }) {
    const id = words(args, 'result')
    const page = args['page'] === undefined ? undefined : words(args, 'page')
    const result = await results.read(id)
    if (args['query'] !== undefined && args['path'] !== undefined)
      throw badArgument('path', args['path'], 'either query or path')
    const document = documentOf(result)
    if (args['query'] !== undefined) {
      const query = words(args, 'query')
      const found = { text: matchesIn(document, query), json: undefined, isJson: false }
      return textResult(results.page(found, { args: { result: id, query }, page }))
    }
    if (args['path'] !== undefined) {
      const path = words(args, 'path')
      const block = /^content\[(\d{1,4})\]$/.exec(path)
      const blocks = Array.isArray(result['content']) ? result['content'] : []
      if (block && blocks[Number(block[1])] !== undefined)
        return { content: [blocks[Number(block[1])]] }
      const found = jsonPath(document, path)
      return textResult(
        results.page(found, { args: { result: id, path }, page, outline: outlineOf(found) }),
      )
    }
    return textResult(
      results.page(document, { args: { result: id }, page, outline: outlineOf(document) }),
    )
  },
}
