// Servers of npm, direct and through aggregator-mcp in `full`: each field of each tool, prompt,
// resource and template has to be equal. Installs each server with npx at its first run; servers
// that do not start by themselves are named.
//   node fidelity.mjs [--only a part of a name]...
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { connect } from './client.mjs'
import { printTable, reason } from './report.mjs'

const main = fileURLToPath(new URL('../../apps/aggregator-mcp/dist/main.js', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'bench-fidelity-'))
/** The package with its arguments; `home` is a folder that exists. */
const servers = [
  ['@modelcontextprotocol/server-everything'],
  ['@modelcontextprotocol/server-filesystem', home],
  ['@modelcontextprotocol/server-memory'],
  ['@modelcontextprotocol/server-sequential-thinking'],
  ['@upstash/context7-mcp'],
  ['@playwright/mcp'],
  ['chrome-devtools-mcp'],
  ['@wonderwhy-er/desktop-commander'],
  ['mongodb-mcp-server'],
  ['n8n-mcp'],
  ['mcp-server-kubernetes'],
  ['@notionhq/notion-mcp-server'],
  ['@drawio/mcp'],
  ['@mastra/mcp-docs-server'],
  ['shadcn', 'mcp'],
  ['nx-mcp'],
  ['@eslint/mcp'],
  ['@cyanheads/git-mcp-server'],
  ['@negokaz/excel-mcp-server'],
  ['@antv/mcp-server-chart'],
  ['@mobilenext/mobile-mcp'],
  ['@google-cloud/cloud-run-mcp'],
  ['next-devtools-mcp'],
  ['mcp-hello-world'],
  ['@executeautomation/playwright-mcp-server'],
]
const kinds = [
  ['tools/list', 'tools', 'name'],
  ['prompts/list', 'prompts', 'name'],
  ['resources/list', 'resources', 'uri'],
  ['resources/templates/list', 'resourceTemplates', 'uriTemplate'],
]
const limit = 240_000

/** All items of a kind by their key; empty if the server has none of them. */
async function itemsOf(client, [method, member, key]) {
  const items = new Map()
  for (let cursor, pages = 0; pages < 100; pages++) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request(method, params, limit).catch((error) => {
      if (/not found|not supported/i.test(error.message)) return {}
      throw error
    })
    for (const item of page[member] ?? []) items.set(item[key], item)
    cursor = page.nextCursor
    if (cursor === undefined) break
  }
  return items
}

async function allOf(stdio) {
  const client = await connect({ name: 'one', stdio: () => stdio }, home, { limit })
  try {
    const all = []
    for (const kind of kinds) all.push(await itemsOf(client, kind))
    return all
  } finally {
    await client.close()
  }
}

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } })
const rows = []
const sums = kinds.map(() => ({ equal: 0, all: 0 }))
for (const [name, ...args] of servers) {
  if (values.only && !values.only.some((part) => name.includes(part))) continue
  const own = { command: 'npx', args: ['-y', name, ...args] }
  const folder = join(home, name.replaceAll('/', '_'))
  mkdirSync(folder)
  const config = join(folder, 'servers.json')
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { it: { ...own, startTimeoutSeconds: 240 } } }),
  )
  const flags = [
    '--config',
    config,
    '--state',
    join(folder, 'state'),
    '--mode',
    'full',
    '--no-prefix',
  ]
  try {
    const direct = await allOf(own)
    const through = await allOf({ command: process.execPath, args: [main, ...flags] })
    rows.push([
      name,
      ...direct.map((items, at) => {
        const equal = [...items].filter(([key, item]) =>
          isDeepStrictEqual(through[at].get(key), item),
        )
        sums[at].equal += equal.length
        sums[at].all += items.size
        return items.size === 0 ? '' : `${equal.length} of ${items.size}`
      }),
    ])
  } catch (error) {
    rows.push([name, reason(error), '', '', ''])
  }
  console.error(rows.at(-1).join(' · '))
}
rows.push(['all', ...sums.map(({ equal, all }) => `${equal} of ${all}`)])
printTable('Equal in every field', ['server', 'tools', 'prompts', 'resources', 'templates'], rows)
process.exit(sums.every(({ equal, all }) => equal === all) ? 0 : 1)
