import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from './world/axe-faults.ts'
import { browserPath, noBrowser, openBrowser } from './world/open-browser.ts'
import { fixture, openConsoleWorld } from './world/open-console-world.ts'

const hold = { trust: { new: 'hold' } }

// The operations are tested without a browser in every run.
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

describe.runIf(isRun)(`the review of held tools (or: ${noBrowser})`, () => {
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  /** The aggregator with these servers, whose tools are held. */
  async function openWorld(mcpServers: Record<string, object>) {
    const world = await openConsoleWorld({ mcpServers: () => mcpServers, aggregator: hold })
    const problems: string[] = []
    return {
      ...world,
      problems,
      async openReview(width: number, height: number, query = ''): Promise<Page> {
        const context = await browser.newContext({
          reducedMotion: 'reduce',
          viewport: { width, height },
        })
        const page = await context.newPage()
        page.on('pageerror', (error) => problems.push(String(error)))
        await page.goto(world.link())
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        await page.goto(`${world.url}/pins${query}`)
        await page.getByRole('heading', { level: 1, name: 'Review' }).waitFor()
        return page
      },
    }
  }

  const measure = (page: Page, of: string): Promise<number> =>
    page.evaluate<number>(`document.documentElement.${of}`)
  const status = (page: Page) => page.getByRole('status').filter({ hasText: 'selected' })
  const approve = (page: Page) => page.getByRole('button', { name: 'Approve selected' })

  describe('of 360 tools', () => {
    let world: Awaited<ReturnType<typeof openWorld>>
    beforeAll(async () => {
      world = await openWorld({ crm: fixture('many-200'), erp: fixture('many-160') })
    })
    afterAll(() => world?.close())

    test('has two screens at most, the riskiest first, and rows that can be filtered by the URL', async () => {
      const page = await world.openReview(1440, 900)
      await page.getByRole('heading', { name: '360 of 360 tools' }).waitFor()
      expect(await measure(page, 'scrollHeight')).toBeLessThanOrEqual(1_800)
      const rows = page.locator('.waiting-table tbody tr[aria-rowindex]')
      expect(await rows.count()).toBeLessThanOrEqual(100)
      expect(await rows.evaluateAll((all) => all.map((row) => row.clientHeight).sort()[0])).toBe(34)
      expect(await rows.first().textContent()).toContain('destructiveopen world by default')
      await page.getByLabel('Kind').selectOption('read-only')
      await page.getByRole('heading', { name: '90 of 360 tools' }).waitFor()
      await page.getByLabel('Server').selectOption('erp')
      await page.getByLabel('Filter').fill('tool_0001')
      await page.getByRole('heading', { name: '2 of 360 tools' }).waitFor()
      expect(new URL(page.url()).search).toBe('?kind=read-only&server=erp&q=tool_0001')
      await page.reload()
      await page.getByRole('heading', { name: '2 of 360 tools' }).waitFor()
      await page.getByRole('button', { name: 'All of erp (160)' }).click()
      expect(await status(page).textContent()).toBe(
        '160 of 360 selected, 158 hidden by the filters',
      )
      await page.getByRole('button', { name: 'None' }).click()
      expect(await status(page).textContent()).toBe('0 of 360 selected')
      await page.context().close()
    })

    test.each([
      ['light', 1440, 900],
      ['dark', 1440, 900],
      ['light', 390, 844],
      ['dark', 390, 844],
    ] as const)('has no faults in %s at %i pixels', async (colorScheme, width, height) => {
      const page = await world.openReview(width, height)
      await page.emulateMedia({ colorScheme })
      await page.getByRole('button', { name: 'Read-only (90)' }).click()
      await page.getByRole('button', { name: 'tool_00002' }).first().click()
      await page.getByText('Full definition').waitFor()
      const details = page.getByRole('region', { name: 'Details of tool_00002' })
      const box = await details.locator('..').boundingBox()
      expect(box?.height).toBe(360)
      expect(box?.width).toBeGreaterThan(width - 300)
      expect(await axeFaults(page)).toEqual([])
      expect(await measure(page, 'scrollWidth')).toBeLessThanOrEqual(width)
      if (width === 390) {
        await page.getByText('Pinned definitions of 2 servers').click()
        const targets = page.locator(
          [
            'select',
            'input[type="search"]',
            '.button:not(.code-block *)',
            'button[data-row]',
            'label:has([type="checkbox"])',
          ]
            .map((part) => `.page ${part}`)
            .join(),
        )
        const heights = await targets.evaluateAll((all) => all.map((one) => one.clientHeight + 2))
        expect(Math.min(...heights)).toBeGreaterThanOrEqual(44)
        const isWide = (all: { scrollWidth: number; clientWidth: number }[]) =>
          all.some((one) => one.scrollWidth > one.clientWidth)
        expect(await page.locator('.table-scroll, .long-table').evaluateAll(isWide)).toBe(false)
        await page.getByText('Pinned definitions of 2 servers').click()
        expect(await measure(page, 'scrollHeight')).toBeLessThanOrEqual(1_700)
      }
      await page.context().close()
    })

    test('is done by keyboard only, and in two actions by mouse', async () => {
      const page = await world.openReview(1440, 900)
      await page.getByRole('heading', { name: '360 of 360 tools' }).waitFor()
      const focused = () => page.evaluate<string>('document.activeElement.textContent')
      const tabTo = async (pattern: RegExp) => {
        for (let presses = 0; presses < 40; presses++) {
          if (pattern.test(await focused())) return
          await page.keyboard.press('Tab')
        }
        throw new Error(`Tab does not reach ${pattern}.`)
      }
      await tabTo(/^tool_/)
      const first = await focused()
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: `Details of ${first}` }).waitFor()
      await page.getByText('Full definition').waitFor()
      // The row below the details.
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Space')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      expect(await focused()).toBe(first)
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: `Details of ${first}` }).waitFor({ state: 'detached' })
      for (let presses = 0; presses < 60; presses++) await page.keyboard.press('ArrowDown')
      expect(await focused()).not.toBe(first)
      await page.keyboard.press('Space')
      expect(await status(page).textContent()).toBe('3 of 360 selected')
      for (let presses = 0; !/^Approve/.test(await focused()); presses++) {
        expect(presses).toBeLessThan(20)
        await page.keyboard.press('Shift+Tab')
      }
      await page.keyboard.press('Enter')
      await page.getByText('3 definitions approved.').waitFor()
      await page.getByRole('heading', { name: '357 of 357 tools' }).waitFor()
      await page.getByRole('button', { name: 'All listed (357)' }).click()
      await approve(page).click()
      await page.getByText('No tools wait for approval').waitFor()
      await page.getByText('Pinned definitions of 2 servers').click()
      await page.getByRole('button', { name: 'Reset the pins of erp' }).waitFor()
      expect(world.problems).toEqual([])
      await page.context().close()
    })
  })

  test('accounts with equal definitions are a row, and what one has pinned is marked in another', async () => {
    const server = fixture('many-8')
    const world = await openWorld({ mail: { ...server, accounts: { work: {}, home: {} } } })
    const page = await world.openReview(1440, 900)
    await page.getByRole('heading', { name: '8 of 8 tools, 16 with all accounts' }).waitFor()
    expect(world.run('pin', 'approve', 'mail@home', 'tool_00001', 'tool_00002')).toContain(
      'mail@home',
    )
    const mark = page.getByRole('row', { name: /tool_0000[12].*pinned in another account/ })
    await expect.poll(() => mark.count()).toBe(2)
    await page.getByRole('button', { name: 'Pinned in another account (2)' }).click()
    await approve(page).click()
    await page.getByRole('heading', { name: '6 of 6 tools, 12 with all accounts' }).waitFor()
    world.run('pin', 'approve', 'mail@work', '--all')
    expect(world.run('pin', 'approve', '--pinned-elsewhere').trim().split('\n')).toHaveLength(6)
    await page.getByText('No tools wait for approval').waitFor()
    expect(world.problems).toEqual([])
    await world.close()
  })

  test('5,000 tools are a bounded list of few rows', async () => {
    const world = await openWorld({ big: fixture('many-5000') })
    const page = await world.openReview(1440, 900)
    await page.getByRole('heading', { name: /^5.000 of 5.000 tools$/ }).waitFor()
    const rows = page.locator('.waiting-table tbody tr')
    expect(await rows.count()).toBeLessThanOrEqual(100)
    expect(await measure(page, 'scrollHeight')).toBeLessThanOrEqual(1_800)
    await page.locator('.long-table').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.getByRole('button', { name: 'tool_04997' }).waitFor()
    expect(await rows.count()).toBeLessThanOrEqual(100)
    const reply = page.waitForResponse((response) => response.url().endsWith('/api/v1/pins'))
    await page.reload()
    expect((await (await reply).body()).length).toBeLessThan(1_800_000)
    await page.getByRole('button', { name: /^All listed/ }).click()
    await approve(page).click()
    await page.getByText('No tools wait for approval').waitFor()
    expect(world.problems).toEqual([])
    await world.close()
  })
})
