// Whether a client that hides tools until its model searches for them finds ours: BM25 over names,
// descriptions and names of arguments, over the tools of Pith's three servers and of four others.
//   node deferring.mjs [--misses]

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { bm25 } from './bm25.mjs'
import { questions } from './deferring-questions.mjs'

const pathOf = (path) => new URL(path, import.meta.url).pathname
const app = (name) => pathOf(`../../apps/${name}/dist/main.js`)
const official = (name, entry = 'dist/index.js') =>
  pathOf(`node_modules/@modelcontextprotocol/server-${name}/${entry}`)
const services = ['github', 'slack', 'notion', 'stripe', 'postgres', 'jira', 'calendar']

const home = mkdtempSync(join(tmpdir(), 'pith-deferring-'))
const config = join(home, 'servers.json')
const serverOf = (at) => ({
  command: process.execPath,
  args: [pathOf('many-tools.mjs'), String(at * 20), '20'],
})
writeFileSync(
  config,
  JSON.stringify({
    mcpServers: Object.fromEntries(services.map((name, at) => [name, serverOf(at)])),
  }),
)
const servers = [
  [
    app('docs-mcp'),
    '--no-cache',
    'https://docs.djangoproject.com/en/5.2/',
    'https://nginx.org/en/docs/',
  ],
  [app('code-mcp'), home],
  [app('aggregator-mcp'), '--config', config, '--state', join(home, 'state')],
  [official('filesystem'), home],
  ...['everything', 'memory', 'sequential-thinking'].map((name) => [official(name)]),
]

const tools = []
for (const args of servers) {
  const client = new Client({ name: 'bench', version: '0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args,
      env: { AGGREGATOR_MCP_SHARE: 'off' },
      stderr: 'ignore',
    }),
  )
  tools.push(...(await client.listTools()).tools)
  const length = client.getInstructions()?.length ?? 0
  if (length > 2_048) console.log(`${args[0]} has instructions of ${length} characters`)
  await client.close()
}
rmSync(home, { recursive: true })

const scoresOf = bm25(tools)
const rankOf = ({ query, entries }, at) => {
  const ranking = scoresOf(query)
    .map((score, at) => ({ score, name: tools[at].name }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
  const rank = ranking.findIndex(({ name }) => entries.includes(name))
  // Only of the half for tuning.
  if (rank !== 0 && at % 2 === 0 && process.argv.includes('--misses'))
    console.log(
      `${query}: ${
        ranking
          .slice(0, 3)
          .map(({ name }) => name)
          .join(', ') || 'nothing'
      }`,
    )
  return rank
}
const ranks = questions.map(rankOf)
const percent = (values, holds) => ((100 * values.filter(holds).length) / values.length).toFixed(0)
console.log(
  `${tools.length} tools\n\n| questions | | entry tool first, % | among five, % |\n|---|---|---|---|`,
)
for (const [name, half] of [
  ['for tuning', 0],
  ['kept for the end', 1],
]) {
  const own = ranks.filter((_, at) => at % 2 === half)
  const first = percent(own, (rank) => rank === 0)
  console.log(
    `| ${name} | ${own.length} | ${first} | ${percent(own, (rank) => rank >= 0 && rank < 5)} |`,
  )
}
