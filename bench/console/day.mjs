// Compares every figure of the console with a count over the lines of a journal: a day is simulated,
// the built aggregator is started over it, and its pages are read in a browser.
//   node day.mjs [--lines 20000] [--hours 24] [--seed 7]
// Exits with 1 if a figure differs. CHROME_PATH is a browser.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { comparePages } from './compare-pages.mjs'
import { servers, simulateDay } from './simulate-day.mjs'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '20000' },
    hours: { type: 'string', default: '24' },
    seed: { type: 'string', default: '7' },
  },
})
const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const main = path('../../apps/aggregator-mcp/dist/main.js')
const fixture = path('../../test/console/world/fixture-server.mjs')

const folder = mkdtempSync(join(tmpdir(), 'bench-day-'))
const journal = join(folder, 'state', 'journal')
mkdirSync(journal, { recursive: true })
const lines = simulateDay({
  count: Number(values.lines),
  hours: Number(values.hours),
  seed: Number(values.seed),
  until: Date.now() - 60_000,
})
for (const day of new Set(lines.map(({ time }) => time.slice(0, 10)))) {
  const ofDay = lines.filter(({ time }) => time.startsWith(day))
  const text = ofDay.map((line) => `${JSON.stringify(line)}\n`).join('')
  writeFileSync(join(journal, `${day}.4242.1.jsonl`), text)
}
const command = (name) => ({ command: process.execPath, args: [fixture, name] })
const mcpServers = Object.fromEntries(servers.map((name) => [name, command(name)]))
mcpServers.calendar.accounts = { work: {}, home: {} }
const config = join(folder, 'mcp.json')
writeFileSync(config, JSON.stringify({ mcpServers, aggregator: { trust: { new: 'allow' } } }))

const own = ['--config', config, '--state', join(folder, 'state')]
const child = spawn(process.execPath, [main, ...own, '--http', '0'], {
  stdio: ['ignore', 'ignore', 'pipe'],
})
let log = ''
child.stderr.setEncoding('utf8').on('data', (text) => {
  log += text
})
while (!log.includes('serving ')) await new Promise((resolve) => setTimeout(resolve, 20))
const executablePath = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
].find((candidate) => candidate && existsSync(candidate))
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  const page = await browser.newPage({ timezoneId: 'UTC', viewport: { width: 1440, height: 900 } })
  page.setDefaultTimeout(20_000)
  const { origin } = new URL(/serving (\S+)/.exec(log)[1])
  const print = [main, 'console', '--print', ...own]
  await page.goto(execFileSync(process.execPath, print, { encoding: 'utf8' }).trim())
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  const { compared, unequal } = await comparePages({ page, origin, journal })
  for (const text of unequal.slice(0, 40)) console.log(text)
  console.log(
    `${compared} figures compared, ${unequal.length} unequal, over ${lines.length} lines.`,
  )
  process.exitCode = unequal.length > 0 ? 1 : 0
} finally {
  await browser.close()
  child.kill()
  await once(child, 'exit')
  rmSync(folder, { recursive: true, force: true })
}
