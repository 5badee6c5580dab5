import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagingRows } from '../apps/code-mcp/test/compat/paging-rows.ts'
import { awsRows, chinaRows } from '../apps/docs-mcp/test/compat/aws-rows.ts'
import { snowflakeRows } from '../apps/docs-mcp/test/compat/snowflake-rows.ts'
import { metaToolRows } from '../packages/aggregator/test/compat/meta-tool-rows.ts'
import type { RowText } from './compat-table.ts'
import { aws } from './inspired-by/aws.ts'
import { mcpist } from './inspired-by/mcpist.ts'
import { paging } from './inspired-by/paging.ts'
import { searchMcp } from './inspired-by/search-mcp.ts'
import { snowflake } from './inspired-by/snowflake.ts'
import { sectionOf } from './inspired-by.ts'

const systems = [snowflake, aws, searchMcp, mcpist, paging]

/** Tests whose titles are the tools and parameters of tables. */
const tables = new Map<string, readonly RowText[]>([
  ['apps/docs-mcp/test/compat.test.ts', [...snowflakeRows, ...awsRows, ...chinaRows]],
  ['apps/code-mcp/test/compat.test.ts', pagingRows],
  ['packages/aggregator/test/compat/meta-tools.test.ts', metaToolRows],
])

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function hasTest(file: string, title: string): boolean {
  const isRow = tables.get(file)?.some((row) => `${row.tool}: ${row.parameter}` === title)
  const call = new RegExp(`^ *(?:test\\b.*|\\]\\))\\(\\s*'${escaped(title)}',`, 'm')
  return isRow || call.test(readFileSync(file, 'utf8'))
}

const pages: Record<string, string> = {
  'docs/inspired-by.md': `# What inspired Pith

Five systems inspired Pith: look up what they do, where Pith has it, and which test proves it.

Each row has a behaviour that one of them states, the file that has it here, and a test that fails without it. If the test is “none”, the behaviour is not built or not met. This page has the documentation servers; [aggregators and paging](inspired-by/aggregators.md) have a page of their own.

[The tools of other servers](compat.md) compares their parameters one by one. No test reads the sites of Snowflake and AWS: local servers stand in for them.

${[snowflake, aws].map(sectionOf).join('\n')}`,
  'docs/inspired-by/aggregators.md': `# What inspired the aggregator and code-mcp

Look up what two aggregators and a design for paging do, where Pith has it, and which test proves it. [What inspired Pith](../inspired-by.md) explains the columns, and has the documentation servers.

${[searchMcp, mcpist, paging].map(sectionOf).join('\n')}`,
}

test.each(Object.entries(pages))(
  '%s is the table of behaviours: vitest -u writes it',
  async (path, page) => {
    await expect(page).toMatchFileSnapshot(`../${path}`)
  },
)

const behaviours = systems.flatMap((system) => system.behaviours)

test.each(behaviours)('$behaviour', ({ place, test: proof, difference }) => {
  expect(existsSync(place), place).toBe(true)
  if (proof) expect(hasTest(...proof), proof.join(': ')).toBe(true)
  else expect(difference, 'a behaviour without a test says why').toMatch(/^not (?:built|met)/)
})
