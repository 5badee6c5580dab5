import { type Document, documentOf } from '../results/document.ts'
import { jsonPath } from '../results/json-path.ts'
import { matchesIn } from '../results/matches-in.ts'
import type { Fields } from '../upstream/connection.ts'
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
      return textResult(await results.page(found, { args: { result: id, query }, page }))
    }
    if (args['path'] !== undefined) {
      const path = words(args, 'path')
      const block = blockAt(result, path)
      if (block && isMedia(block)) return { content: [block] }
      const found = block ? plainDocument(JSON.stringify(block)) : await jsonPath(document, path)
      return textResult(await results.page(found, { args: { result: id, path }, page }))
    }
    return textResult(await results.page(document, { args: { result: id }, page }))
  },
}

/** A block of content that was left out, as `content[2]`. */
function blockAt({ content }: Fields, path: string): Fields | undefined {
  const [, index] = /^content\[(\d{1,4})\]$/.exec(path) ?? []
  return Array.isArray(content) && index !== undefined ? content[Number(index)] : undefined
}

/** What is seen or heard comes as it is; other data as letters, page by page. */
const isMedia = ({ type, data }: Fields): boolean =>
  (type === 'image' || type === 'audio') && typeof data === 'string'

const plainDocument = (text: string): Document => ({ text, json: undefined, isJson: false })
