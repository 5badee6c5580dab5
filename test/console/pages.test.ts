import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

const pages = [
  ['/', 'Overview'],
  ['/servers', 'Servers'],
  ['/servers/github', 'github'],
  ['/servers/warehouse', 'warehouse'],
  ['/tools', 'Tools'],
  ['/tools?as=model', 'Tools'],
  ['/tools/tool?server=github&name=create_issue', 'create_issue'],
  ['/live', 'Live'],
  ['/usage', 'Usage'],
  ['/journal', 'Journal'],
  ['/pins', 'Pins'],
  ['/accounts', 'Accounts'],
  ['/clients', 'Clients'],
  ['/profiles', 'Profiles'],
  ['/tokens', 'Access tokens'],
  ['/nowhere/at/all', 'Page not found'],
] as const

/** Every sixth page; the others consist of the same parts and run in the long tier. */
const shown = process.env['LONG'] === '1' ? pages : pages.filter((_, at) => at % 6 === 0)

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResult {
  violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[]
}

describe.skipIf(browserPath === undefined)(`every page (or: ${noBrowser})`, () => {
  let world: TeamWorld
  beforeAll(async () => {
    world = await openTeamWorld()
    world.twist({ create_message: 'Says something else.\u202e' })
    await world.call('slack', 'list_messages')
    for (let times = 0; times < 3; times++) await world.call('github', 'list_issues')
  })
  afterAll(() => world.close())

  async function openPage(page: Watched['page'], path: string, title: string): Promise<void> {
    await page.goto(world.url + path)
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  }

  /** Serious violations that axe finds in the current page. */
  async function faultsOf({ page }: Watched, rules: readonly string[] = []): Promise<string[]> {
    await page.evaluate(axe)
    const options = rules.length > 0 ? { runOnly: rules } : {}
    const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      )
  }

  describe('every page', () => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({ viewport: { width: 1280, height: 900 } })
    })
    afterAll(() => opened.page.context().close())

    test.each(shown)('%s loads without errors and can be used by everyone', async (path, title) => {
      const { page, problems } = opened
      await page.emulateMedia({ colorScheme: 'light' })
      await openPage(page, path, title)
      await page.waitForLoadState('load')
      await page.waitForTimeout(300)
      expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
      expect(await faultsOf(opened)).toEqual([])
      // The second theme differs in its colours only.
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForTimeout(300)
      expect(await faultsOf(opened, ['color-contrast'])).toEqual([])
      expect(problems).toEqual([])
    })
  })

  describe('in a window of 360 pixels', () => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({
        colorScheme: 'dark',
        viewport: { width: 360, height: 740 },
      })
    })
    afterAll(() => opened.page.context().close())

    test.each(shown)('%s fits, and loads without errors', async (path, title) => {
      const { page, problems } = opened
      await openPage(page, path, title)
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide).toBeLessThanOrEqual(360)
      expect(problems).toEqual([])
    })
  })

  test('the page to sign in at has no grave faults either', async () => {
    const opened = await world.open({ colorScheme: 'dark' })
    await opened.page.goto(world.url)
    await opened.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await faultsOf(opened)).toEqual([])
    expect(opened.problems).toEqual([])
    await opened.page.context().close()
  })
})
