import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from './world/axe-faults.ts'
import { browserPath, noBrowser, openBrowser } from './world/open-browser.ts'
import { type ConsoleWorld, fixture, openConsoleWorld } from './world/open-console-world.ts'

const before = '{\r\n\t"mcpServers": { "a": { "env": { "KEY": "hunter2" } }, } // mine\r\n}'

const isLong = process.env['LONG'] === '1'

describe.skipIf(browserPath === undefined || !isLong)(`clients (or: ${noBrowser})`, () => {
  let world: ConsoleWorld
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    browser = await openBrowser()
    world = await openConsoleWorld({
      mcpServers: () => ({ github: fixture('github') }),
      aggregator: { trust: { new: 'hold' }, profiles: { lean: {} } },
    })
    mkdirSync(join(world.home, '.cursor'))
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  const file = () => join(world.home, '.cursor', 'mcp.json')

  async function open(width: number, colorScheme: 'light' | 'dark'): Promise<Page> {
    const viewport = { width, height: 900 }
    const context = await browser.newContext({ reducedMotion: 'reduce', viewport, colorScheme })
    const page = await context.newPage()
    await page.goto(world.link())
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    return page
  }

  /** What axe finds, and whether the page is wider than the window. */
  async function faultsOf(page: Page): Promise<unknown[]> {
    const over = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    return [...(await axeFaults(page)), ...(over > 0 ? [`${over} px too wide`] : [])]
  }

  const looks = [1440, 390].flatMap((width) =>
    (['light', 'dark'] as const).map((colorScheme) => [width, colorScheme] as const),
  )

  test.each(looks)('the first steps and the page fit %i px in %s', async (width, colorScheme) => {
    writeFileSync(file(), before)
    const page = await open(width, colorScheme)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('1 client found').waitFor()
    await steps.getByText(/For your approval: \d+ tools/).waitFor()
    expect(await page.getByText('No tools yet').count()).toBe(0)
    expect(await page.getByRole('region', { name: 'Receipt' }).count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await steps.getByRole('link', { name: 'Connect a client' }).click()
    await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor()
    const cursor = page.getByRole('region', { name: 'Cursor' })
    await cursor.getByText(file()).waitFor()
    await cursor.getByText('unknown').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await cursor.getByRole('button', { name: 'Connect Cursor' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('.is-come').first().waitFor()
    expect(await dialog.textContent()).not.toContain('hunter2')
    expect(await faultsOf(page)).toEqual([])
    if (width === 390)
      for (const button of await page.locator('.client .button, .dialog-actions .button').all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await page.context().close()
  })

  test('a client is connected and disconnected by the keyboard alone, as by add and remove', async () => {
    writeFileSync(file(), before)
    const page = await open(1440, 'light')
    await page.goto(`${world.url}/clients`)
    await page.getByRole('button', { name: 'Connect Cursor' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Connect Cursor' })
    await dialog.getByLabel('Tools are listed as').focus()
    await page.keyboard.press('N')
    await dialog.getByText('"list"').waitFor()
    await dialog.getByRole('button', { name: 'Connect', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Restart Cursor to use it.').waitFor()
    await page.getByRole('region', { name: 'Entry pith' }).getByText('mode list').waitFor()
    expect(
      JSON.parse(readFileSync(file(), 'utf8').replace(/,(?=\s*\}\s*\/\/)|\/\/ mine/g, '')),
    ).toHaveProperty('mcpServers.pith.args')
    expect(world.run('clients')).toMatch(/^cursor: .*\n {2}pith in .*mode list$/m)
    await page.getByRole('button', { name: 'Disconnect pith from Cursor' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/removed pith/).waitFor()
    expect(readFileSync(file(), 'utf8')).toBe(before)
    const lines = world.run('journal', '--kind', 'admin')
    expect(lines).toMatch(/ add cursor {2}ok[\s\S]* remove cursor {2}ok/)
    await page.context().close()
  })

  test('the first screen leads to a callable tool and to a call, which ends the steps', async () => {
    const page = await open(1440, 'light')
    let clicks = 0
    const press = async (role: 'link' | 'button' | 'checkbox', name: string) => {
      clicks++
      await page.getByRole(role, { name }).first().click()
    }
    await press('link', 'Review the tools')
    await press('checkbox', 'Select create_issue of github')
    await press('button', 'Approve selected')
    await page.getByText('1 definition approved.').waitFor()
    expect(clicks).toBe(3)
    const client = await world.connect()
    const call = { module: 'github', tool_name: 'create_issue', params: {} }
    await page.goto(world.url)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByText('Clients can call 1 tool.').waitFor()
    await client.callTool({ name: 'call', arguments: call })
    await page.reload()
    await page.getByRole('region', { name: 'Receipt' }).waitFor()
    await steps.waitFor({ state: 'detached' })
    await page.goto(`${world.url}/clients`)
    const seen = page.getByRole('region', { name: 'fixture client' })
    await seen.getByText('Last call').waitFor()
    expect(await seen.getByRole('button').count()).toBe(0)
    await client.close()
    await page.context().close()
  })
})
