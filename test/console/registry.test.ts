import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listed, notes, npm, startListing } from '../../packages/registry/test/registry-world.ts'
import { axeFaults } from './world/axe-faults.ts'
import { browserPath, noBrowser, openBrowser } from './world/open-browser.ts'
import { openConsoleWorld } from './world/open-console-world.ts'

const isWanted = browserPath !== undefined && process.env['LONG'] === '1'

const odd = listed({
  name: 'com.acme/odd-notes',
  title: '<b>bold</b>\u202eodd',
  description: '<img src=x onerror="window.pwned=1">',
  packages: [{ ...npm(), registryType: 'mcpb' }],
})
const old = listed({ name: 'com.acme/notes-old', packages: [npm()] }, { status: 'deprecated' })
const many = Array.from({ length: 24 }, (_, at) =>
  listed({ name: `com.acme/notes-${at}`, packages: [npm()] }),
)

describe.runIf(isWanted)(`the registry (or: ${noBrowser})`, () => {
  let registry: Awaited<ReturnType<typeof startListing>>
  let world: Awaited<ReturnType<typeof openConsoleWorld>>
  let browser: Awaited<ReturnType<typeof openBrowser>>
  beforeAll(async () => {
    registry = await startListing([notes, odd, old, ...many], 50)
    browser = await openBrowser()
    world = await openConsoleWorld({
      mcpServers: () => ({}),
      aggregator: { trust: { new: 'hold' } },
      env: { AGGREGATOR_MCP_REGISTRY: registry.url },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
    registry?.close()
  })

  async function open(width: number, path = '/registry') {
    const context = await browser.newContext({
      reducedMotion: 'reduce',
      viewport: { width, height: 900 },
    })
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.goto(world.link())
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(world.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { page, problems, close: () => context.close() }
  }
  type Page = Awaited<ReturnType<typeof open>>['page']

  async function expectNoFaults(page: Page): Promise<void> {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      expect(await axeFaults(page)).toEqual([])
    }
  }

  test('a server is added in two clicks and a search, and its secret is not in the page', async () => {
    const { page, problems, close } = await open(1440, '/servers')
    await page.getByRole('link', { name: 'From the registry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Registry' }).waitFor()
    await page.getByText('Enter a word to search').waitFor()
    await page.getByRole('button', { name: 'Add filesystem' }).waitFor()
    await page.getByLabel('Search').fill('notes')
    await page.keyboard.press('Enter')
    await page.getByText('1 deprecated server left out.').waitFor()
    await expectNoFaults(page)
    await page.getByRole('button', { name: 'Add com.acme/notes', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('NOTES_TOKEN is required.').waitFor()
    const add = dialog.getByRole('button', { name: 'Add', exact: true })
    expect(await add.getAttribute('aria-disabled')).toBe('true')
    await dialog.getByLabel('NOTES_TOKEN (required)').fill('hush-hush')
    await dialog.getByLabel('folder (required)').fill('/srv/a b\n/srv/c')
    await dialog.getByLabel('NOTES_LEVEL').selectOption('debug')
    const launch = dialog.getByRole('region', { name: 'What will be started' })
    await expect
      .poll(() => launch.textContent())
      .toMatch(
        /^npx -y @acme\/notes@1\.2\.0 "\/srv\/a b" \/srv\/c\nNOTES_TOKEN=\$\{(?:keychain|file):.*\/notes\.NOTES_TOKEN\}\nNOTES_LEVEL=debug$/,
      )
    await expectNoFaults(page)
    // No secret is stored here: the keychain of this machine is not for tests.
    await dialog.getByLabel('NOTES_TOKEN (required)').fill('${HOME}')
    await expect.poll(() => launch.textContent()).toContain('NOTES_TOKEN=${HOME}')
    await add.click()
    await dialog.getByText(/New tools are held until they are approved/).waitFor()
    await dialog.getByRole('link', { name: 'Open notes' }).click()
    await page.getByRole('heading', { level: 1, name: 'notes' }).waitFor()
    expect(problems).toEqual([])
    await close()
  })

  test('a plan is made without the secret', async () => {
    const { page, close } = await open(1440, '/registry?q=notes')
    const bodies: string[] = []
    page.on('request', (request) => bodies.push(request.postData() ?? ''))
    await page.getByRole('button', { name: 'Add com.acme/notes', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('NOTES_TOKEN (required)').pressSequentially('hush-hush')
    await dialog.getByLabel('folder (required)').fill('/srv')
    await dialog.getByText('/notes.NOTES_TOKEN}').waitFor()
    expect(bodies.join('\n')).toContain('/srv')
    expect(bodies.join('\n')).not.toMatch(/hush/)
    await close()
  })

  test('is used by keyboard alone in a window of 390 pixels, with a finger too', async () => {
    const { page, problems, close } = await open(390, '/registry?q=notes')
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent",
      )
    await page.getByRole('button', { name: 'Add com.acme/notes', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio').first().waitFor()
    await dialog.getByRole('radio').first().focus()
    await page.keyboard.press('ArrowDown')
    await dialog.getByLabel('team (required)').waitFor()
    await dialog.getByText('Sends your calls to {team}.notes.example').waitFor()
    await expectNoFaults(page)
    for (const width of [
      'document.documentElement.scrollWidth',
      "document.querySelector('dialog').scrollWidth",
    ])
      expect(await page.evaluate(width)).toBeLessThanOrEqual(390)
    const small = await page.evaluate(`
      [...document.querySelectorAll('main :is(button, input, label.check), dialog :is(button, input, select, textarea, label.check)')]
        .filter((element) => element.closest('.code-block') === null)
        .filter((element) => !(element.type === 'radio' || element.type === 'checkbox'))
        .filter((element) => element.getBoundingClientRect().height < 44)
        .map((element) => element.outerHTML)`)
    expect(small).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Add com.acme/notes')
    expect(problems).toEqual([])
    await close()
  })

  test('texts of the registry are text, and what cannot be added says why', async () => {
    const { page, close } = await open(1440, '/registry?q=odd')
    await page.getByRole('heading', { level: 3, name: /<b>bold<\/b>.*202E/ }).waitFor()
    await page.getByRole('button', { name: 'Add com.acme/odd-notes' }).click()
    await page.getByText('It is a bundle, which must be downloaded').waitFor()
    await page.getByText('Nothing of it can be added here.').waitFor()
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.content()).not.toContain('\u202e')
    await close()
  })

  test('more hits, deprecated ones, none, and a registry that fails', async () => {
    const { page, close } = await open(1440, '/registry?q=notes')
    const adds = page.getByRole('main').getByRole('button', { name: /^Add / })
    await expect.poll(() => adds.count()).toBe(20)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => adds.count()).toBe(26)
    await page.getByLabel('Also deprecated servers').check()
    await page.getByText('deprecated', { exact: true }).waitFor()
    await page.getByLabel('Search').fill('zebra')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('Search for one word, or fewer letters.').waitFor()
    registry.close()
    await page.getByLabel('Search').fill('time')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('cannot be reached').waitFor()
    await page.getByRole('button', { name: 'Add time' }).waitFor()
    await expectNoFaults(page)
    await close()
  })
})
