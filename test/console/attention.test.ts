import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOAuthWorld } from '../../packages/aggregator/test/upstream/oauth/oauth-world.ts'
import { browserPath, noBrowser, openBrowser } from './world/open-browser.ts'
import { fixture, openConsoleWorld } from './world/open-console-world.ts'

/** Lines of the last minute. */
function seed(folder: string): void {
  const time = new Date(Date.now() - 30_000).toISOString()
  const call = { kind: 'call', module: 'github' }
  const event = { kind: 'event' }
  const lines = [
    ...Array.from({ length: 30 }, (_, at) => ({ ...call, outcome: at % 3 ? 'ok' : 'timeout' })),
    { ...call, outcome: 'rate_limited' },
    { ...call, outcome: 'budget_spent' },
    { ...event, outcome: 'rejected', count: 3, message: 'no credential' },
    { ...event, outcome: 'journal_gap', count: 4, message: 'no space left on device' },
  ]
  mkdirSync(folder, { recursive: true })
  const text = lines.map((line) => `${JSON.stringify({ time, ...line })}\n`).join('')
  writeFileSync(join(folder, `${time.slice(0, 10)}.4242.1.jsonl`), text)
}

interface Item {
  kind: string
  subject: string
  text: string
  fix: { text: string; command?: string; page?: string }
}

// `attentionOf` is tested in every run.
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

describe.runIf(isRun)(`what needs attention (or: ${noBrowser})`, () => {
  let oauth: Awaited<ReturnType<typeof openOAuthWorld<'notion'>>>
  let world: Awaited<ReturnType<typeof openConsoleWorld>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    oauth = await openOAuthWorld({ servers: { notion: {} } })
    browser = await openBrowser()
    world = await openConsoleWorld({
      seed,
      mcpServers: () => ({
        github: fixture('github'),
        notion: { url: oauth.servers.notion.url },
        warehouse: fixture('broken'),
        calendar: { ...fixture('calendar'), pin: false },
        keyless: { ...fixture('slack'), env: { KEY: '${PITH_TEST_UNSET}' } },
      }),
      aggregator: {
        trust: { new: 'hold' },
        profiles: { odd: { deny: ['github.nothing'] } },
        permissions: { ask: [{ tools: ['calendar.create_event'] }] },
      },
    })
    const client = await world.connect()
    for (const title of ['One', 'Two']) {
      const call = { module: 'calendar', tool_name: 'create_event', params: { title } }
      await client.callTool({ name: 'call', arguments: call })
    }
    await client.close()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    await oauth?.close()
  })

  async function items(): Promise<Item[]> {
    const headers = { authorization: 'Bearer token-of-the-owner' }
    const reply = await fetch(`${world.url}/api/v1/attention`, { headers })
    return ((await reply.json()) as { items: Item[] }).items
  }

  test('is said alike by the API, the console, status and doctor', async () => {
    const kinds = async () => (await items()).map(({ kind }) => kind)
    await expect
      .poll(kinds)
      .toEqual([
        ...['lines_lost', 'server_unusable', 'server_down', 'needs_sign_in', 'tools_held'],
        'calls_waiting',
        ...['failing', 'limit_reached', 'limit_reached', 'requests_rejected', 'setting_idle'],
      ])
    const all = await items()
    const lineOf = ({ subject, text, fix }: Item): string =>
      `  ! ${subject}: ${text} ${fix.command ? fix.text.replace('.', `: ${fix.command}`) : fix.text}`
    const linesIn = (said: string) => said.split('\n').filter((line) => line.startsWith('  ! '))
    await expect.poll(() => linesIn(world.run('status'))).toEqual(all.map(lineOf))
    // It has started the server itself, which wrote the time of that.
    const withoutTimes = (lines: string[]) => lines.map((line) => line.replace(/\d{4}-\S+Z /, ''))
    expect(withoutTimes(linesIn(await world.output('doctor')))).toEqual(
      withoutTimes(all.map(lineOf)),
    )

    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
    await page.goto(world.link())
    await page.getByRole('button', { name: `Show all ${all.length}` }).click()
    const said = await page.locator('.concerns > li').allInnerTexts()
    expect(said.map((text) => text.replace(/\s+/g, ' '))).toEqual(
      all.map(({ subject, text, fix }) =>
        [subject, text, fix.text, fix.command].filter(Boolean).join(' ').replace(/\s+/g, ' '),
      ),
    )
    for (const { fix } of all.filter(({ fix }) => fix.page)) {
      const [link] = await page.locator(`.concerns a[href="${fix.page}"]`).all()
      expect(await link?.textContent()).toBe(fix.text)
    }
    const counts = page.getByRole('navigation', { name: 'Pages' })
    const held = Number(/^\d+/.exec(all.find(({ kind }) => kind === 'tools_held')?.text ?? '')?.[0])
    await counts.getByRole('link', { name: `Review ${held} need attention` }).waitFor()
    await counts.getByRole('link', { name: 'Requests 2 need attention' }).waitFor()
    await counts.getByRole('link', { name: 'Servers 3 need attention' }).waitFor()
    await counts.getByRole('link', { name: 'Journal 5 need attention' }).waitFor()
    await page.context().close()
  })
})
