import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIResponse, BrowserContextOptions, Page } from 'playwright-core'
import { openOAuthWorld } from '../../../packages/aggregator/test/upstream/oauth/oauth-world.ts'
import { openBrowser } from './open-browser.ts'
import { fixture, openConsoleWorld } from './open-console-world.ts'
import { seedJournal } from './seed-journal.ts'

/** The aggregator with servers in every state, with more settings of it, and a browser. */
export async function openTeamWorld(aggregator: object = {}) {
  const oauth = await openOAuthWorld({ servers: { notion: {} } })
  const browser = await openBrowser()
  let twist = ''
  const world = await openConsoleWorld({
    seed: (journal) => seedJournal(journal, 3),
    mcpServers: (folder) => {
      twist = join(folder, 'twist.json')
      return {
        github: { ...fixture('github'), description: 'Issues of acme', tags: ['code'] },
        slack: fixture('slack', twist),
        grafana: fixture('grafana'),
        stripe: fixture('stripe'),
        odd: fixture('odd'),
        calendar: { ...fixture('calendar'), accounts: { work: {}, home: {} } },
        notion: { url: oauth.servers.notion.url },
        warehouse: fixture('broken'),
        crm: { ...fixture('linear'), enabled: false },
      }
    },
    aggregator: {
      ...aggregator,
      profiles: { support: { description: 'Looks only', servers: ['github'], readOnly: true } },
    },
  })
  const client = await world.connect()
  const call = (module: string, tool_name: string, params: object = {}) =>
    client.callTool({ name: 'call', arguments: { module, tool_name, params } })
  for (const module of [
    'github',
    'slack',
    'grafana',
    'stripe',
    'odd',
    'calendar',
    'notion',
    'warehouse',
  ])
    await client.callTool({ name: 'get_module_schema', arguments: { module } }).catch(() => {})

  /** A page in a browser context of its own, and its errors. */
  async function open(options: BrowserContextOptions = {}): Promise<Watched> {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('console', (message) => {
      // The 401 before the sign-in is expected; browsers log it.
      if (message.type() === 'error' && !message.location().url.endsWith('/api/v1/session'))
        problems.push(`${message.text()} ${message.location().url}`)
    })
    return { page, problems }
  }

  return {
    ...world,
    oauth,
    client,
    call,
    open,
    async openSignedIn(options?: BrowserContextOptions): Promise<Watched> {
      const opened = await open(options)
      await opened.page.goto(world.link())
      await opened.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      return opened
    },
    /** A request to the API with the cookie and the proof of a page. */
    async ask(page: Page, path: string, method = 'GET'): Promise<APIResponse> {
      const proof = await page.evaluate<string>("localStorage.getItem('pith.proof') ?? ''")
      const headers = { origin: world.url, 'content-type': 'application/json' }
      return page.request.fetch(`${world.url}/api/v1${path}`, {
        method,
        headers: { ...headers, 'x-pith-proof': proof },
      })
    },
    /** Overrides descriptions of tools from the next start of the server slack on. */
    twist: (descriptions: Record<string, string>) =>
      writeFileSync(twist, JSON.stringify(descriptions)),
    async close() {
      await client.close()
      await browser.close()
      await world.close()
      await oauth.close()
    },
  }
}

export interface Watched {
  page: Page
  problems: string[]
}

export type TeamWorld = Awaited<ReturnType<typeof openTeamWorld>>
