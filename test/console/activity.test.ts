import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaultsInBothThemes } from './world/axe-faults.ts'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

// The operations and sentences are tested without a browser in every run.
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

const windows = [
  ['1440 pixels', { width: 1440, height: 900 }],
  ['390 pixels', { width: 390, height: 844 }],
] as const

describe.runIf(isRun)(`what was done (or: ${noBrowser})`, () => {
  let world: TeamWorld
  beforeAll(async () => {
    world = await openTeamWorld()
    for (let calls = 0; calls < 60; calls++) await world.call('github', 'list_issues')
    for (const name of ['ada', 'ben'])
      await world.call('github', 'list_labels', { fail: true, name })
  })
  afterAll(() => world.close())

  describe.each(windows)('in a window of %s', (_, viewport) => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({ viewport, acceptDownloads: true })
    })
    afterAll(async () => {
      expect(opened.problems).toEqual([])
      await opened.page.context().close()
    })

    /** No sideways scrolling, and no faults in either theme. */
    async function check(): Promise<void> {
      const { page } = opened
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      expect(await axeFaultsInBothThemes(page)).toEqual([])
    }

    test('a server has its process, and a log that is followed and filtered', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/github`)
      const { instances } = await (await world.ask(page, '/servers/github')).json()
      const table = page.getByRole('table', { name: 'Instances of the server' })
      await table.getByText(String(instances[0].pid), { exact: true }).waitFor()
      const log = page.getByRole('region', { name: 'stderr' }).last()
      const scrollTop = () => log.evaluate((element) => element.scrollTop)
      await log.getByText('tools/call list_issues').waitFor()
      await expect.poll(scrollTop).toBeGreaterThan(0)
      await log.focus()
      const paused = page.getByText('paused, as you scrolled up')
      // Lines that arrive may end a scroll on its way.
      const press = (key: string) => async () => {
        await page.keyboard.press(key)
        return paused.count()
      }
      await expect.poll(press('Home'), { interval: 500 }).toBe(1)
      await expect.poll(scrollTop).toBe(0)
      await world.call('github', 'list_releases')
      await log.getByText('tools/call list_releases').waitFor()
      expect(await scrollTop()).toBe(0)
      await expect.poll(press('End'), { interval: 500 }).toBe(0)
      await page.getByLabel('Filter', { exact: true }).last().fill('LIST_RELEASES')
      await page.getByText(/^\d+ of \d+ lines match$/).waitFor()
      const lines = ((await log.textContent()) ?? '').trim().split('\n')
      expect(lines.every((line) => line.includes('list_releases'))).toBe(true)
      await check()
    })

    test('causes of failures lead to their lines', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/github?span=1h`)
      const row = page.getByRole('row', { name: /^tool_error/ })
      const count = Number(await row.getByRole('cell').nth(1).textContent())
      expect(count).toBe(2)
      await row.getByRole('link', { name: 'tool_error', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Journal' }).waitFor()
      await page.getByText(`${count} lines`).waitFor()
      const rows = page.getByText(/called github\.list_labels: the tool reported an error/)
      expect(await rows.count()).toBe(count)
    })

    test('a server over HTTP says where its log is, and a disabled one what it is', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/notion`)
      await page.getByText('Its log is where it runs').waitFor()
      await page.goto(`${world.url}/servers/crm`)
      await page.getByText('A server that is switched off has no process.').waitFor()
      await page.getByText('stdio', { exact: true }).waitFor()
      await check()
    })

    test('prompts and resources are tried by keyboard', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/grafana`)
      await page.locator('summary', { hasText: 'grafana__explain_alert' }).press('Enter')
      await page.getByLabel(/^alert/).fill('cpu')
      await page.keyboard.press('Enter')
      await page.getByText('Why did cpu fire?').first().waitFor()
      await page.getByText('grafana://motd').click()
      await page.getByRole('button', { name: 'Read grafana://motd' }).click()
      await page.getByText(/^1\d\d characters at the end are left out here/).waitFor()
      await page.getByText('grafana://panel/{id}').click()
      await page.getByLabel('uri').fill('grafana://panel/7')
      await page.keyboard.press('Enter')
      await page.getByText('panel at grafana://panel/7').first().waitFor()
      await check()
    })

    test('a destructive tool is called after it was confirmed, and no old result stays', async () => {
      const { page } = opened
      const calls = async () => (await (await world.ask(page, '/servers/stripe')).json()).calls
      const before = await calls()
      await page.goto(`${world.url}/tools/tool?server=stripe&name=delete_customer`)
      const field = page.getByRole('textbox', { name: /^id/ })
      await field.fill('c1')
      const press = () => page.getByRole('button', { name: 'Call', exact: true }).first().click()
      await press()
      const dialog = page.getByRole('dialog', { name: 'Call this destructive tool?' })
      for (const text of ['stripe', 'delete_customer', 'c1'])
        await dialog.getByText(text).first().waitFor()
      await check()
      await page.keyboard.press('Escape')
      expect(await calls()).toBe(before)
      await press()
      await dialog.getByRole('button', { name: 'Call' }).click()
      await page.getByRole('heading', { name: 'Result' }).waitFor()
      expect(await calls()).toBe(before + 1)
      await field.fill('')
      await press()
      await page.getByText('This field is required.').first().waitFor()
      expect(await page.getByRole('heading', { name: 'Result' }).count()).toBe(0)
    })

    test('the journal reads like sentences, with the day once', async () => {
      const { page } = opened
      await page.goto(`${world.url}/journal?since=1h`)
      await page.getByText('The owner opened a session in the console').first().waitFor()
      await page
        .getByText(/called github\.list_issues/)
        .first()
        .waitFor()
      expect(await page.locator('.journal-day').count()).toBeLessThanOrEqual(2)
      await page.getByRole('button', { name: 'Details of line 1', exact: true }).press('Enter')
      await page.getByText('outcome', { exact: true }).waitFor()
      await check()
    })

    test('what sessions cost is read when someone asks', async () => {
      const { page } = opened
      const cost = { calls: 3, tokens: 900, carried: 4_200 }
      const parts = { requests: 7, input: 52_000, output: 10, results: 4_200 }
      const rest = { ownResults: 900, text: 5_000, preamble: 41_000, rest: 900 }
      const gain = {
        lists: 4_400,
        instructions: 0,
        searches: 300,
        savedLists: 0,
        savedResults: 900,
      }
      const body = {
        ...{ places: [], hasJournal: true, sessions: 2, total: { ...parts, ...rest } },
        servers: [{ server: 'git\u202ehub', via: 'pith', ...cost, tools: [] }],
        pith: { sessions: 2, lost: 1, ...gain, net: -3_800 },
        notes: [{ text: 'last line that is half-written', count: 1 }],
      }
      await page.route('**/api/v1/meter*', (route) => route.fulfill({ json: body }))
      await page.goto(`${world.url}/usage`)
      await page.getByRole('button', { name: 'Read transcripts' }).click()
      const table = page.getByRole('table', { name: 'What the results of each server cost' })
      await table.getByText('4.2k').waitFor()
      expect(await table.getByText('U+202E').count()).toBe(1)
      await page.getByText('It lost in 1 of 2 sessions.').waitFor()
      await page.getByText('last line that is half-written (1)').waitFor()
      await check()
    })

    test('usage is exported as its table shows it', async () => {
      const { page } = opened
      const since = new Date(Date.now() - 3 * 86_400_000).toISOString()
      await page.goto(`${world.url}/usage?since=${since}`)
      const table = page.getByRole('table', { name: 'Usage by server' })
      await table.getByRole('rowheader', { name: 'github' }).waitFor()
      await page.getByText(/^Counted in whole hours, from /).waitFor()
      const names = await table.getByRole('rowheader').allInnerTexts()
      const saved = async (format: 'CSV' | 'JSON') => {
        const started = page.waitForEvent('download')
        await page.getByRole('button', { name: format }).click()
        const download = await started
        return [download.suggestedFilename(), readFileSync(await download.path(), 'utf8')] as const
      }
      const [name, csv] = await saved('CSV')
      expect(name).toMatch(/^usage-by-server-\d{4}-\d\d-\d\dT\d\dZ-\d{4}-\d\d-\d\dT\d\dZ\.csv$/)
      const [head, ...rows] = csv.trimEnd().split('\r\n')
      expect(head).toBe('server,Tokens saved,Calls,Failed,Refused,Tokens in,Tokens out,p50,p95')
      expect(rows.map((row) => row.split(',')[0])).toEqual(names)
      const [, json] = await saved('JSON')
      expect(JSON.parse(json).map((row: { server: string }) => row.server)).toEqual(names)
      const unused = page.getByRole('table', { name: 'Tools without a call in this period' })
      await unused.getByText('stripe.list_payment_intents').waitFor()
      expect(await unused.getByText('github.list_issues').count()).toBe(0)
      await check()
    })
  })
})
