import { documentOf } from '../call/results/document.ts'
import { jsonPath } from '../call/results/json-path.ts'
import { matchesIn } from '../call/results/matches-in.ts'
import { isSmallMedia } from '../call/results/other-parts.ts'
import type { Fields } from '../protocol/message.ts'
import { badArgument, isAbsent, words } from './arguments.ts'
import { type MetaTool, readsOnly, textResult } from './meta-tool.ts'

export const readMore: MetaTool = {
  name: 'read_more',
  description: () =>
    'Read on in a result that came in pages: the next page, the places of a text, or a part by JSONPath.',
  inputSchema: {
    type: 'object',
    properties: {
      result: { type: 'string' },
      page: { type: 'string', description: 'As the last reply names it' },
      query: { type: 'string' },
      path: { type: 'string', description: 'Such as $.items[0:5].name' },
    },
    required: ['result'],
  },
  annotations: readsOnly,
  isForLists: true,
  async answer(args, _exchange, { results }) {
    const id = words(args, 'result')
    const page = isAbsent(args['page']) ? undefined : pageIn(args)
    const result = await results.read(id)
    if (!isAbsent(args['query']) && !isAbsent(args['path']))
      throw badArgument('path', args['path'], 'either query or path')
    const document = documentOf(result)
    if (!isAbsent(args['query'])) {
      const query = words(args, 'query')
      if (query.length > longestQuery)
        throw badArgument('query', query, `at most ${longestQuery} characters`)
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

const longestQuery = 500

/** `result.content[2]` is a part of the result as MCP has it, not of its text. */
function partOfResult(path: string): string | undefined {
  const [, part] = /^result\.(members|_meta|content\[\d+\].*)$/s.exec(path) ?? []
  return part === 'members' ? '$' : part
}

const isBlock = (value: unknown): value is Fields => typeof value === 'object' && value !== null

/** A model may take the number of a page for its name. */
function pageIn(args: Fields): string {
  if (typeof args['page'] === 'number')
    throw badArgument(
      'page',
      args['page'],
      'page as the last reply names it, or none for the first',
    )
  return words(args, 'page')
}
