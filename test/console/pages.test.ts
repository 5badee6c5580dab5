import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from './world/axe-faults.ts'
import { menu } from './world/menu.ts'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

const pages: readonly (readonly [path: string, title: string])[] = [
  ...menu.map(({ path, name }) => [path, name] as const),
  ['/servers/github', 'github'],
  ['/servers/warehouse', 'warehouse'],
  ['/tools?as=model', 'Tools'],
  ['/tools/tool?server=github&name=create_issue', 'create_issue'],
  ['/access?profile=support', 'support: access'],
  ['/nowhere/at/all', 'Page not found'],
]

/** Every sixth page; the others consist of the same parts and run in the long tier. */
const shown = process.env['LONG'] === '1' ? pages : pages.filter((_, at) => at % 6 === 0)

/** Buttons and fields that are too small for a finger, and what scrolls sideways. */
const smallTargets = `(() => {
  const targets = 'button, select, summary, .check, input:not([type=checkbox], [type=radio])'
  const isSmall = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && (height < 44 || width < 44)
  }
  const scrolls = (element) =>
    element.scrollWidth > element.clientWidth + 1 &&
    ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
  return [
    ...[...document.querySelectorAll(targets)].filter(isSmall),
    ...[...document.querySelectorAll('main :not(.code-block *)')].filter(scrolls),
  ].map((element) => element.outerHTML.slice(0, 120))
})()`

/** Short words that are divided between lines, and texts that lie over each other. */
const tornTexts = String.raw`(() => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  const rects = []
  const faults = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement
    if (!parent.checkVisibility() || parent.closest('.for-readers, caption, code, pre, .code-block, .diff, svg, select, .is-clipped')) continue
    if (getComputedStyle(parent).position === 'absolute' || parent.closest('thead')) continue
    for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
      if (word.length > 18 || !/^[A-Za-z]+[.,:;]?$/.test(word)) continue
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
      if (lines.size > 1) faults.push('torn: ' + word + ' in ' + parent.textContent.slice(0, 60))
    }
    const range = document.createRange()
    range.selectNodeContents(node)
    const boxes = []
    for (let at = parent; at; at = at.parentElement)
      if (getComputedStyle(at).overflowY !== 'visible') boxes.push(at.getBoundingClientRect())
    // What is scrolled out of sight is over nothing.
    const isSeen = ({ top, bottom }) => boxes.every((box) => bottom <= box.bottom + 1 && top >= box.top - 1)
    for (const rect of range.getClientRects())
      if (rect.width > 2 && rect.height > 2 && isSeen(rect))
        rects.push({ rect, text: node.data.trim().slice(0, 40) })
  }
  for (const [at, one] of rects.entries())
    for (const other of rects.slice(at + 1)) {
      const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
      const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top)
      if (width > 3 && height > 6) faults.push('over: ' + one.text + ' | ' + other.text)
    }
  return [...new Set(faults)].slice(0, 10)
})()`

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
      expect(await axeFaults(page)).toEqual([])
      // The second theme differs in its colours only.
      await page.emulateMedia({ colorScheme: 'dark' })
      await page.waitForTimeout(300)
      expect(await axeFaults(page, ['color-contrast'])).toEqual([])
      expect(problems).toEqual([])
    })
  })

  describe.each([
    [360, 'dark'],
    [390, 'light'],
  ] as const)('in a window of %i pixels, %s', (pixels, colorScheme) => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({ colorScheme, viewport: { width: pixels, height: 740 } })
    })
    afterAll(() => opened.page.context().close())

    test.each(shown)('%s fits, and loads without errors', async (path, title) => {
      const { page, problems } = opened
      await openPage(page, path, title)
      const wide = await page.evaluate('document.documentElement.scrollWidth')
      expect(wide).toBeLessThanOrEqual(pixels)
      expect(await page.evaluate(smallTargets)).toEqual([])
      expect(await page.evaluate(tornTexts)).toEqual([])
      expect(problems).toEqual([])
    })
  })

  test('the page to sign in at has no grave faults either', async () => {
    const opened = await world.open({ colorScheme: 'dark' })
    await opened.page.goto(world.url)
    await opened.page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await axeFaults(opened.page)).toEqual([])
    expect(opened.problems).toEqual([])
    await opened.page.context().close()
  })
})
