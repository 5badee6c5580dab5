import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, noBrowser, openBrowser } from './world/open-browser.ts'
import { fixture, openConsoleWorld } from './world/open-console-world.ts'

describe.skipIf(browserPath === undefined || !process.env['LONG'])(
  `the first minute over HTTP (or: ${noBrowser})`,
  () => {
    let world: Awaited<ReturnType<typeof openConsoleWorld>>
    let browser: Awaited<ReturnType<typeof openBrowser>>
    beforeAll(async () => {
      browser = await openBrowser()
      world = await openConsoleWorld({
        mcpServers: () => ({
          github: fixture('github'),
          slack: fixture('slack'),
          crm: { ...fixture('linear'), enabled: false },
        }),
        aggregator: { trust: { new: 'hold' }, profiles: { odd: { deny: ['github.nothing'] } } },
      })
    })
    afterAll(async () => {
      await browser?.close()
      await world?.close()
    })

    test('is one card that says what waits, and leads to it', async () => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
      await page.goto(world.link())
      const card = page.getByRole('region', { name: 'First steps' })
      await card.getByText(/^Clients can call 0 tools. For your approval: \d+ tools.$/).waitFor()
      // Its place is kept until it is known that there is nothing to count.
      await page.getByRole('region', { name: 'Receipt' }).waitFor({ state: 'detached' })
      expect(await page.getByText('No tools yet').count()).toBe(0)
      await page.getByText(/2 of 2 ready, 1 disabled/).waitFor()
      await page
        .getByText(/0 tools, \d+ held/)
        .first()
        .waitFor()
      await page.getByText(/github\.nothing" matches no tool/).waitFor()
      const failures = page.locator('section', { hasText: 'Recent failures' })
      expect(await failures.getByText('tool_held').count()).toBe(0)
      await page.getByRole('link', { name: 'Review the tools' }).click()
      await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor()
    })

    test('names the tokens that have a profile', async () => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
      await page.goto(world.link())
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      const proof = await page.evaluate<string>("localStorage.getItem('pith.proof') ?? ''")
      await page.request.fetch(`${world.url}/api/v1/tokens`, {
        method: 'POST',
        headers: { origin: world.url, 'content-type': 'application/json', 'x-pith-proof': proof },
        data: JSON.stringify({ name: 'ada', profile: 'odd', scopes: ['mcp'] }),
      })
      await page.goto(`${world.url}/profiles`)
      await page.getByText('token:ada').waitFor()
    })

    test('says of a disabled server that it has no process', async () => {
      const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage()
      await page.goto(world.link())
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await page.goto(`${world.url}/servers/crm`)
      await page.getByText('A server that is switched off has no process.').waitFor()
    })
  },
)
