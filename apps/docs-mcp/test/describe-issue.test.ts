import { DocsError } from '@pith-mcp/docs'
import { argumentProblems, problemText } from '@pith-mcp/server-kit/tools'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { flagHint } from '../src/flag-hint.ts'
import { allTools } from '../src/tools/all-tools.ts'
import { numberOr } from '../src/tools/tool.ts'

const validate = async (tool: string, args: unknown): Promise<string | undefined> => {
  const found = allTools.find(({ name }) => name === tool)
  const result = await found?.schema['~standard'].validate(args)
  return result && 'issues' in result ? result.issues?.[0]?.message : undefined
}

test.each([
  ['get_doc_content', {}, 'url is required and must be a string.'],
  ['get_doc_content', { url: 5 }, 'url must be a string, got 5.'],
  [
    'get_doc_content',
    { url: 'a.html', max_length: 'abc' },
    'max_length must be a number, got "abc".',
  ],
  [
    'get_doc_content',
    { url: 'a.html', include_code_blocks: 'maybe', start_index: [] },
    'start_index must be a number, got []. include_code_blocks must be true or false, got "maybe".',
  ],
  ['get_doc_section', { url: 'a.html', sections: ['a', 5] }, 'sections.1 must be a string, got 5.'],
  [
    'search_docs',
    { query: 'a', filters: '{"product":5}' },
    'filters.product must be a list, got "{\\"product\\":5}".',
  ],
  [
    'search_docs',
    { query: 'a', limit: 5, size: 6 },
    'There is no parameter "limit" or "size". The parameters are queries, source, max_tokens, max_results, include_headings, language, filters, query.',
  ],
])('%s %j', async (tool, args, message) => {
  expect(await validate(tool, args)).toBe(message)
})

test('bounds are stated', () => {
  const input = z.object({ limit: numberOr(10, z.number().min(1).max(50)) })
  const problem = (args: unknown) =>
    argumentProblems(input.safeParse(args).error?.issues ?? [], args, [])
  expect(problem({ limit: 0 })).toBe('limit must be at least 1, got 0.')
  expect(problem({ limit: '51' })).toBe('limit must be at most 50, got "51".')
})

test('a long value is cut', () => {
  const issue = z.number().safeParse('x').error?.issues[0]
  expect(problemText('timeout', issue, 'x'.repeat(9_000)).length).toBeLessThan(120)
})

test('the flag of a setting is added to a remedy of the library', () => {
  const withSetting = (setting: 'offline' | 'networks') =>
    Object.assign(new DocsError('not_allowed', 'It is refused.', 'Allow it.'), { setting })
  expect(flagHint(withSetting('offline'))).toBe(' The flag is --offline.')
  expect(flagHint(withSetting('networks'))).toBe(' The flag is --allow-network.')
  expect(flagHint(new DocsError('not_found', 'There is no page.', 'Check the URL.'))).toBe('')
  expect(flagHint(new Error('no remedy'))).toBe('')
})
