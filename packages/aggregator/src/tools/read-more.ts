import { documentOf } from '../call/results/document.ts'
import { jsonPath } from '../call/results/json-path.ts'
import { matchesIn } from '../call/results/matches-in.ts'
import { isSmallMedia } from '../call/results/other-parts.ts'
import { badArgument } from '../protocol/bad-argument.ts'
import type { JsonObject } from '../protocol/message.ts'
import { isAbsent, words } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'

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
    const result = await results.read(id)
    if (!isAbsent(args['query']) && !isAbsent(args['path']))
      throw badArgument('path', args['path'], 'either query or path')
    const document = documentOf(result)
    if (!isAbsent(args['query'])) {
      const query = words(args, 'query')
      if (query.length > maxQueryLength)
        throw badArgument('query', query, `at most ${maxQueryLength} characters`)
      const found = { text: matchesIn(document, query), json: undefined, isJson: false }
      return textResult(await results.page(found, { args: { result: id, query }, page }))
    }
    if (!isAbsent(args['path'])) {
      const path = words(args, 'path')
      const within = partOfResult(path)
      const whole = { text: '', json: result, isJson: true }
      const found = await jsonPath(within === undefined ? document : whole, within ?? path)
      if (isBlock(found.json) && isSmallMedia(found.json)) return { content: [found.json] }
      return textResult(await results.page(found, { args: { result: id, path }, page }))
    }
    return textResult(await results.page(document, { args: { result: id }, page }))
  },
}

const maxQueryLength = 500

/** `result.content[2]` refers to the MCP result, not to its text. */
function partOfResult(path: string): string | undefined {
  const [, part] = /^result\.(members|_meta|content\[\d+\].*)$/s.exec(path) ?? []
  return part === 'members' ? '$' : part
}

const isBlock = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null

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
