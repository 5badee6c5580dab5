import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The sections of the page, one for each code. */
const sections = readFileSync('docs/reference/errors.md', 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ code: /^\w+/.exec(section)?.[0] ?? '', section }))

test.for([
  ['docs-mcp', 'packages/formats/src/docs-error.ts'],
  ['code-mcp', 'packages/code/src/code-error.ts'],
  ['aggregator-mcp', 'packages/servers/src/protocol/aggregator-error.ts'],
] as const)('the manual explains every error code of %s, and no other', ([server, file]) => {
  const [, union = ''] = /ErrorCode =\n([\s\S]*?)\n\n/.exec(readFileSync(file, 'utf8')) ?? []
  const codes = [...union.matchAll(/'(\w+)'/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(8)
  const explained = sections.filter(({ section }) =>
    new RegExp(`^\\*\\*${server}:\\*\\* .{20}`, 'm').test(section),
  )
  expect(explained.map(({ code }) => code).sort()).toEqual(codes.sort())
})
