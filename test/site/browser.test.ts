import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../packages/base/test/temporary-folder.ts'
import { browserPath, noBrowser, openBrowser } from '../console/world/open-browser.ts'
import { buildSite, type SitePage, serveSite } from './renderer.ts'

const folder = temporaryFolder()
/** The second theme differs in its colours alone. */
const axeRunIn = {
  light: 'axe.run()',
  dark: "axe.run({ runOnly: ['color-contrast'] })",
} as const

const isLong = process.env['LONG'] === '1'
/** By what is on them: tables, code, long lists, the search, and what is there if nothing is. */
const ofEachKind = [
  'index',
  'aggregator',
  'compat',
  'start/install',
  'how-it-works',
  'libraries/scorer',
  'reference/docs-mcp',
  '404',
]

const results = (page: Page) => page.getByRole('listbox', { name: 'Results' })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

describe.skipIf(browserPath === undefined)(`the site (or: ${noBrowser})`, () => {
  let site: Awaited<ReturnType<typeof serveSite>>
  let browser: Browser
  let pages: SitePage[]
  beforeAll(async () => {
    site = await serveSite({ folder, path: '/pith/' })
    ;({ pages } = await buildSite({ to: folder, baseUrl: site.url }))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await site.close()
  })

  /** A window, and what went wrong or elsewhere in it. */
  async function open(options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    page.on('request', (request) => {
      if (!request.url().startsWith(site.url)) problems.push(request.url())
    })
    return { page, problems, close: () => context.close() }
  }

  test('a section is found, chosen and opened by keyboard', async () => {
    const { page, problems, close } = await open()
    await page.goto(`${site.url}libraries/cleaner.html`)
    const input = page.getByRole('combobox', { name: 'Search' })
    await page.keyboard.press('/')
    await page.keyboard.type('sections')
    await results(page).getByRole('option').first().waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('how it ranks BM25F')
    await results(page)
      .getByRole('option', { name: /^@pith-mcp\/scorer › How it ranks/ })
      .waitFor()
    const options = results(page).getByRole('option')
    expect(await options.first().getAttribute('aria-selected')).toBe('true')
    expect(await options.first().textContent()).toContain('How it ranks')
    await page.keyboard.press('ArrowDown')
    const second = await options.nth(1).getAttribute('id')
    expect(await input.getAttribute('aria-activedescendant')).toBe(second)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    expect(await input.getAttribute('aria-expanded')).toBe('false')
    expect(await options.count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await options.first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${site.url}libraries/scorer.html#how-it-ranks`)
    expect(problems).toEqual([])
    await close()
  })

  test('a search without results says so', async () => {
    const { page, close } = await open()
    await page.goto(`${site.url}index.html`)
    await page.keyboard.press('/')
    await page.keyboard.type('qqxzzy')
    await page.getByRole('status').getByText('Nothing found for “qqxzzy”').waitFor()
    await close()
  })

  test('an address of nothing has a page that leads on, at any depth', async () => {
    const { page, close } = await open()
    await page.goto(`${site.url}libraries/no/such/page`)
    await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()
    await page.getByText('Libraries', { exact: true }).click()
    await page.getByRole('link', { name: '@pith-mcp/scorer' }).click()
    await page.getByRole('heading', { level: 1, name: '@pith-mcp/scorer' }).waitFor()
    await close()
  })

  test('the former address of a section opens the page that has it now', async () => {
    const { page, close } = await open()
    await page.goto(`${site.url}aggregator.html#mcp-apps`)
    await page.waitForURL(`${site.url}aggregator/protocol.html#mcp-apps`)
    await close()
    const plain = await open({ javaScriptEnabled: false })
    await plain.page.goto(`${site.url}aggregator.html#mcp-apps`)
    const main = plain.page.getByRole('main')
    expect(await main.getByText('This section is on another page').count()).toBeGreaterThan(1)
    expect(
      await main.getByText('This section is on another page').filter({ visible: true }).count(),
    ).toBe(1)
    await plain.close()
  })

  test('tabs are chosen by keyboard, by a link and once for all pages', async () => {
    const { page, problems, close } = await open()
    await page.goto(`${site.url}start/install.html`)
    const tab = (name: string) => page.getByRole('tab', { name, exact: true })
    expect(await tab('Linux').getAttribute('aria-selected')).toBe('true')
    expect(await page.getByRole('tabpanel').count()).toBe(1)
    await tab('Linux').focus()
    await page.keyboard.press('ArrowRight')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('macOS')
    await page.keyboard.press('End')
    await page.getByRole('tabpanel', { name: 'Docker' }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowLeft')
    expect(await tab('Docker').getAttribute('aria-selected')).toBe('true')
    expect(await tab('Linux').getAttribute('tabindex')).toBe('-1')
    await page.goto(`${site.url}faq.html`)
    await page.goto(`${site.url}start/install.html`)
    await page.getByRole('tabpanel', { name: 'Docker' }).waitFor()
    await page.goto(`${site.url}start/install.html#windows`)
    await page.getByRole('tabpanel', { name: 'Windows' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('heading', { name: 'macOS' }).isVisible()).toBe(true)
    expect(await page.getByText('Build an image for each server').isVisible()).toBe(true)
    expect(problems).toEqual([])
    await close()
    const plain = await open({ javaScriptEnabled: false })
    await plain.page.goto(`${site.url}start/install.html`)
    for (const name of ['Linux', 'macOS', 'Windows', 'Docker'])
      expect(await plain.page.getByRole('heading', { name }).isVisible()).toBe(true)
    await plain.close()
  })

  test('the theme is chosen once for all pages, before they are drawn', async () => {
    const { page, problems, close } = await open({ colorScheme: 'light' })
    const background = () =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await page.goto(`${site.url}index.html`)
    const light = await background()
    await page.getByLabel('Theme').selectOption('dark')
    const dark = await background()
    expect(dark).not.toBe(light)
    const picture = page.getByRole('img', { name: 'npm start' })
    await picture.scrollIntoViewIfNeeded()
    expect(await picture.evaluate((image) => Reflect.get(image, 'currentSrc'))).toMatch(
      /start-dark/,
    )
    await page.route('**/site.js', (route) => route.abort())
    await page.goto(`${site.url}how-it-works.html`)
    expect(await background()).toBe(dark)
    await page.unroute('**/site.js')
    await page.reload()
    expect(await page.getByLabel('Theme').inputValue()).toBe('dark')
    await page.getByLabel('Theme').selectOption('')
    expect(await background()).toBe(light)
    expect(problems.filter((problem) => !/ERR_FAILED/.test(problem))).toEqual([])
    await close()
  })

  /** What readers type, and the page that answers. */
  test.for([
    ['docker', 'start/install'],
    ['install', 'start/install'],
    ['windows', 'start/install'],
    ['rate limit', 'aggregator/limits'],
    ['error codes', 'reference/errors'],
    ['changelog', 'start/upgrade'],
    ['sandbox', 'sandbox'],
    ['oauth', 'aggregator/accounts'],
    ['budget', 'long-texts'],
  ] as const)('a search for “%s” leads to %s first', async ([query, path]) => {
    const { page, close } = await open()
    await page.goto(`${site.url}index.html`)
    await page.keyboard.press('/')
    await page.keyboard.type(query)
    await results(page).getByRole('option').first().waitFor()
    const first = results(page).getByRole('option').first()
    expect(await first.getAttribute('href')).toMatch(new RegExp(`^${site.url}${path}\\.html`))
    await close()
  })

  test('code is copied as it stands', async () => {
    const { page, close } = await open({ permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${site.url}libraries/scorer.html`)
    await page.getByRole('button', { name: 'Copy' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(readFileSync('packages/scorer/README.md', 'utf8')).toContain(`\n${copied}\n`)
    await close()
  })

  test('without JavaScript a phone has the menu, and nothing that does not work', async () => {
    const { page, close } = await open({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    await page.goto(`${site.url}index.html`)
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).click()
    const menu = page.getByRole('navigation', { name: 'Manual' })
    await menu.getByText('Libraries', { exact: true }).click()
    await menu.getByRole('link', { name: '@pith-mcp/scorer' }).click()
    await page.getByRole('heading', { level: 1, name: '@pith-mcp/scorer' }).waitFor()
    await close()
  })

  test(`${isLong ? 'every page' : 'a page of each kind'} can be used by everyone in both themes, and is no wider than a phone`, async () => {
    const { page, problems, close } = await open({ colorScheme: 'light' })
    const [faults, wide]: [string[], string[]] = [[], []]
    const all = [...pages.map(({ path }) => path), '404']
    expect(all).toEqual(expect.arrayContaining(ofEachKind))
    for (const path of isLong ? all : ofEachKind) {
      await page.goto(`${site.url}${path}.html`)
      await page.evaluate(axe)
      if (path === 'index') {
        await page.keyboard.press('/')
        await page.keyboard.type('sandbox')
        await results(page).getByRole('option').first().waitFor()
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        const { violations } = await page.evaluate<{
          violations: { id: string; nodes: { html: string }[] }[]
        }>(axeRunIn[colorScheme])
        for (const { id, nodes } of violations)
          faults.push(`${path} ${id}: ${nodes.map(({ html }) => html).join(', ')}`)
      }
      await page.setViewportSize({ width: 390, height: 844 })
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      if (width > 390) wide.push(`${path}: ${width}`)
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.emulateMedia({ colorScheme: 'light' })
    }
    expect(faults).toEqual([])
    expect(problems).toEqual([])
    expect(wide).toEqual([])
    await close()
  }, 600_000)
})
