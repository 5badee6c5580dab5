// What the check of definitions does to servers of npm that are widely used: installs the newest version
// of each in a folder, starts it with all others behind one aggregator, and counts what it lists, what is
// held, and which tools are marked. Servers that do not start without an account are named. After a build:
//   node widely-used.mjs [folder to install in]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createAggregator,
  qualifiedName,
  readConfig,
} from '../../packages/aggregator/dist/index.js'

/** Packages, with arguments that they need to start. Keys are no real ones. */
const packages = {
  '@modelcontextprotocol/server-everything': [],
  '@modelcontextprotocol/server-filesystem': [tmpdir()],
  '@modelcontextprotocol/server-memory': [],
  '@modelcontextprotocol/server-sequential-thinking': [],
  '@playwright/mcp': [],
  'chrome-devtools-mcp': [],
  'mongodb-mcp-server': [],
  '@upstash/context7-mcp': [],
  '@cyanheads/git-mcp-server': [],
  '@cyanheads/pubmed-mcp-server': [],
  '@primevue/mcp': [],
  '@notionhq/notion-mcp-server': [],
  'firecrawl-mcp': [],
  'tavily-mcp': [],
  'exa-mcp-server': [],
  '@brave/brave-search-mcp-server': [],
  'figma-developer-mcp': ['--stdio'],
  '@supabase/mcp-server-supabase': [
    '--access-token',
    'sbp_0000000000000000000000000000000000000000',
  ],
  '@sentry/mcp-server': ['--access-token', 'none'],
  '@stripe/mcp': ['--api-key', 'sk_test_0000000000000000'],
  'drawio-mcp-server': [],
  '@bytebase/dbhub': ['--demo'],
  'mcp-server-kubernetes': [],
  '@azure/mcp': ['server', 'start'],
  'nx-mcp': [tmpdir()],
  '@eslint/mcp': [],
  '@antv/mcp-server-chart': [],
  '@wonderwhy-er/desktop-commander': [],
  '@mapbox/mcp-server': [],
  '@hubspot/mcp-server': [],
  'mcp-remote': ['http://127.0.0.1:1'],
  '@gongrzhe/server-gmail-autoauth-mcp': [],
  '@browsermcp/mcp': [],
  '@executeautomation/playwright-mcp-server': [],
  'puppeteer-mcp-server': [],
  'task-master-ai': [],
  '@mendable/firecrawl-mcp': [],
  '@heroku/mcp-server': [],
  '@cloudflare/mcp-server-cloudflare': [],
  '@langfuse/mcp-server-langfuse': [],
}
const env = {
  NOTION_TOKEN: 'ntn_0000000000',
  FIRECRAWL_API_KEY: 'fc-00000000',
  TAVILY_API_KEY: 'tvly-00000000',
  EXA_API_KEY: '00000000',
  BRAVE_API_KEY: 'BSA00000000',
  FIGMA_API_KEY: 'figd_00000000',
  MAPBOX_ACCESS_TOKEN: 'pk.00000000',
  PRIVATE_APP_ACCESS_TOKEN: 'pat-00000000',
  PUPPETEER_SKIP_DOWNLOAD: '1',
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
}

const folder = process.argv[2] ?? mkdtempSync(join(tmpdir(), 'pith-widely-used-'))
const entries = {}
const absent = []
for (const [name, args] of Object.entries(packages)) {
  const own = join(folder, name.replace(/\W+/g, '-'))
  mkdirSync(own, { recursive: true })
  const at = join(own, 'node_modules', name)
  try {
    if (!existsSync(at))
      execFileSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', own, name], {
        stdio: 'ignore',
        env: { ...process.env, ...env },
        timeout: 240_000,
      })
    const { bin } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    const program = typeof bin === 'string' ? bin : Object.values(bin)[0]
    const label = name.replace(/^@/, '').replace(/\W+/g, '-')
    entries[label] = { command: process.execPath, args: [join(at, program), ...args], env }
  } catch {
    absent.push(name)
  }
}
const { servers } = await readConfig(JSON.stringify({ mcpServers: entries }), process.env)
const aggregator = createAggregator({ servers, firstListSeconds: 60 })
const { gateway } = aggregator
const session = { id: 'bench', era: 'modern', capabilities: {}, notify() {} }
await gateway.discovery.readMissing(session, {})
const sums = { servers: 0, tools: 0, items: 0, held: 0, marked: 0 }
for (const unit of gateway.fleet.units.values()) {
  const entry = gateway.catalog.entryOf(qualifiedName(unit))
  if (entry === undefined) {
    absent.push(unit.name)
    continue
  }
  sums.servers++
  sums.tools += entry.tools.length
  sums.items += entry.resources.length + entry.resourceTemplates.length + entry.prompts.length
  const held = gateway.trust.review(unit, entry)
  sums.held += held.size
  for (const [name, { reason }] of held) console.log(`${unit.name} ${name}: ${reason}`)
  for (const tool of entry.tools) {
    const marks = gateway.trust.marksOf(unit, tool)
    if (marks.length > 0) sums.marked++
    for (const mark of marks.slice(0, 1))
      console.log(`${unit.name} ${tool.name} ! ${mark.finding ?? mark.sentence}`)
  }
}
console.log(
  `${sums.servers} servers: ${sums.tools} tools, ${sums.items} resources, templates and prompts; ${sums.held} held, ${sums.marked} tools marked.`,
)
if (absent.length > 0) console.log(`Not installed, or not started: ${absent.join(', ')}.`)
await aggregator.close()
process.exit(0)
