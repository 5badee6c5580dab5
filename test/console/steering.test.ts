import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

const isLong = process.env['LONG'] === '1'

describe.skipIf(browserPath === undefined)(`what is steered (or: ${noBrowser})`, () => {
  let world: TeamWorld
  let opened: Watched
  beforeAll(async () => {
    world = await openTeamWorld()
    opened = await world.openSignedIn({ viewport: { width: 1280, height: 900 } })
  })
  afterAll(() => world.close())
  beforeEach(() => {
    opened.problems.length = 0
  })

  const server = async (unit: string) => (await world.ask(opened.page, `/servers/${unit}`)).json()

  test('a server is restarted, stopped and started', async () => {
    const { page } = opened
    await page.goto(`${world.url}/servers/github`)
    const [begun] = (await server('github')).stderr
    await page.getByRole('button', { name: 'Restart github' }).click()
    await page.getByText('github restarted.').waitFor()
    expect((await server('github')).stderr[0]).not.toBe(begun)
    await page.getByRole('button', { name: 'Stop github' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('main').getByText('Stopped').waitFor()
    await page.getByRole('button', { name: 'Start github' }).click()
    await page.getByText('github started.').waitFor()
    await page
      .getByText(/INFO github server 2\.4\.1 ready/)
      .last()
      .waitFor()
  })

  test('a change is heard of by those who only watch', async () => {
    const { page } = opened
    await page.goto(`${world.url}/servers`)
    const row = page.getByRole('row', { name: /grafana/ })
    await row.getByText('Ready').waitFor()
    const other = await world.openSignedIn()
    expect((await world.ask(other.page, '/servers/grafana/stop', 'POST')).status()).toBe(200)
    await row.getByText('Stopped').waitFor()
    await other.page.context().close()
  })

  test('a checkup reports problems', async () => {
    const { page } = opened
    await page.goto(`${world.url}/servers/warehouse`)
    await page.getByRole('button', { name: 'Check', exact: true }).click()
    await page.getByText('Problems found').waitFor()
  })

  test('a changed tool is approved after its diff was reviewed', async () => {
    const { page, problems } = opened
    world.twist({ create_message: 'Says \u202eelse.', delete_channel: 'Deletes it at once.' })
    await page.goto(`${world.url}/servers/slack`)
    await page.getByRole('button', { name: 'Restart slack' }).click()
    await page.getByText('slack restarted.').waitFor()
    await page.goto(`${world.url}/pins?server=slack`)
    const tool = page.getByRole('row', { name: /^Select create_message/ })
    const all = page.getByRole('button', { name: 'Approve selected' })
    expect(await all.getAttribute('aria-disabled')).toBe('true')
    await tool.getByRole('button', { name: 'create_message' }).click()
    const details = page.getByRole('region', { name: 'Details of create_message' })
    await details.getByRole('heading', { name: 'description changed' }).waitFor()
    await details.getByText(/202E/).first().waitFor()
    expect(await page.content()).not.toContain('\u202e')
    await tool.getByRole('checkbox').check()
    await all.click()
    await tool.waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: 'Select delete_channel of slack' }).check()
    await page.getByText(/^1 of \d+ selected, 1 changed$/).waitFor()
    await all.click()
    await page.getByText('No tools of slack wait for approval').waitFor()
    expect(problems).toEqual([])
  })

  test('a tool is tried by the form of its schema', async () => {
    const { page, problems } = opened
    await page.goto(`${world.url}/tools/tool?server=github&name=create_issue`)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('This field is required.').first().waitFor()
    await page.getByRole('textbox', { name: 'owner' }).fill('acme')
    await page.getByRole('textbox', { name: 'repo' }).fill('shop')
    await page.getByRole('textbox', { name: 'title' }).fill('Broken <b>basket</b>')
    await page.getByRole('button', { name: 'Add an item' }).click()
    await page.locator('.schema-item input').fill('bug')
    await page.getByRole('checkbox', { name: 'draft' }).check()
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('heading', { name: 'Result' }).waitFor()
    const text = (await page.getByRole('region', { name: 'Text 1' }).textContent()) ?? ''
    expect(JSON.parse(text.slice(0, text.indexOf('\n')))).toEqual({
      owner: 'acme',
      repo: 'shop',
      title: 'Broken <b>basket</b>',
      priority: 'normal',
      labels: ['bug'],
      draft: true,
    })
    expect(problems).toEqual([])
  })

  test('a tool is tried by JSON', async () => {
    const { page } = opened
    await page.goto(`${world.url}/tools/tool?server=github&name=list_issues`)
    await page.getByRole('radio', { name: 'JSON' }).check()
    await page.getByLabel('Arguments', { exact: true }).fill('{ "owner": ')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('This is not valid JSON (line 1, column 12).').waitFor()
    await page.getByLabel('Arguments', { exact: true }).fill('{ "owner": "acme" }')
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText('"owner":"acme"').first().waitFor()
  })

  test('search shows the very text that a model gets', async () => {
    const { page } = opened
    await page.goto(`${world.url}/tools?as=model`)
    await page.getByLabel(/search_tools/).fill('create an issue')
    await page.keyboard.press('Enter')
    const region = page.getByRole('region', { name: 'Reply of search_tools' })
    await region.waitFor()
    const { content } = await world.client.callTool({
      name: 'search_tools',
      arguments: { query: 'create an issue' },
    })
    const [{ text = '' } = {}] = content as { text?: string }[]
    const found = (all: string) => all.split('\n').filter((line) => line.includes(' — '))
    expect(found((await region.textContent()) ?? '')).toEqual(found(text))
    expect(found(text).length).toBeGreaterThan(2)
  })

  test('calls appear as they happen, and can be held', async () => {
    const { page } = opened
    await page.goto(`${world.url}/live`)
    await page.getByText('Waiting for calls').waitFor()
    await world.call('github', 'list_issues')
    const table = page.getByRole('table', { name: /Calls/ })
    await table.getByRole('link', { name: 'list_issues' }).first().waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await world.call('stripe', 'list_customers')
    await page.waitForTimeout(800)
    expect(await table.getByText('list_customers').count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await table.getByRole('link', { name: 'list_customers' }).waitFor()
  })

  test.runIf(isLong)('a flood of calls keeps the page small', async () => {
    const { page, problems } = opened
    await page.goto(`${world.url}/live`)
    await page.getByText('Waiting for calls').waitFor()
    const rounds = isLong ? 12 : 2
    for (let round = 0; round < rounds; round++)
      await Promise.all(Array.from({ length: 60 }, () => world.call('github', 'list_issues')))
    await page.getByText(/\d{2,} calls in the last minute/).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(80)
    expect(problems).toEqual([])
  })

  test.runIf(isLong)('a long table is read by keyboard to its last row', async () => {
    const { page } = await world.openSignedIn()
    const tools = Array.from({ length: 3_000 }, (_, at) => ({
      server: 'github',
      name: `tool_${at}`,
      summary: 'One of many.',
      signature: '',
      tokens: 3_000 - at,
      isReadOnly: at % 3 === 0,
      isDestructive: at % 2 === 0,
    }))
    await page.route('**/api/v1/tools', (route) => route.fulfill({ json: { tools } }))
    await page.goto(`${world.url}/tools`)
    // Rows with several annotations become higher than the others.
    await page.evaluate('document.documentElement.style.fontSize = "150%"')
    const table = page.getByRole('table', { name: 'Tools with their cost' })
    await table.getByRole('link', { name: 'tool_0', exact: true }).waitFor()
    expect(await table.getAttribute('aria-rowcount')).toBe('3001')
    await page.getByRole('region', { name: 'Tools with their cost' }).focus()
    for (const [key, name, rowIndex] of [
      ['End', 'tool_2999', '3001'],
      ['Home', 'tool_0', '2'],
    ] as const) {
      await page.keyboard.press(key)
      const row = table.getByRole('row', { name })
      await expect.poll(() => row.getAttribute('aria-rowindex')).toBe(rowIndex)
      await expect.poll(async () => (await row.boundingBox())?.y).toBeLessThan(720)
      expect(await table.getByRole('row').count()).toBeLessThan(80)
    }
    await page.context().close()
  })

  test('the journal is searched by its address and by its form', async () => {
    const { page } = opened
    await page.goto(`${world.url}/journal?server=linear&outcome=failed`)
    const rows = page.locator('.journal-table tbody tr:not(.journal-day)')
    await rows.first().waitFor()
    for (const text of await rows.allInnerTexts()) {
      expect(text).toContain('linear')
      expect(text).not.toMatch(/\bok\b/)
    }
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByLabel('Text').fill('create_review')
    await page.getByRole('button', { name: 'Search' }).click()
    await expect.poll(() => page.url()).toContain('text=create_review')
    await expect
      .poll(async () =>
        (await rows.allInnerTexts()).every((text) => text.includes('create_review')),
      )
      .toBe(true)
    await page.getByRole('button', { name: 'Details of line 1', exact: true }).click()
    await page.getByText('argsHash').waitFor()
    await page.goto(`${world.url}/journal`)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => page.url()).toContain('before=')
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(() => page.url()).not.toContain('before=')
  })

  test.runIf(isLong)('a chart can be read as a table', async () => {
    const { page } = opened
    await page.goto(`${world.url}/usage?measure=calls`)
    await page.getByRole('button', { name: 'Table' }).click()
    const table = page.getByRole('table', { name: 'Calls by server' })
    await table.getByRole('columnheader', { name: 'github' }).waitFor()
  })

  test('a server is added, switched off and removed', async () => {
    const { page } = opened
    await page.goto(`${world.url}/servers`)
    await page.getByRole('button', { name: 'Add server' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: 'JSON' }).check()
    await dialog
      .getByLabel('JSON', { exact: true })
      .last()
      .fill('{ "mcpServers": { "tracker": { "command": "node", "args": ["-e", "0"] } } }')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('link', { name: 'tracker' }).click()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('main').getByText('Disabled').waitFor()
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
    await page.getByRole('link', { name: 'tracker' }).waitFor({ state: 'detached' })
  })

  test.runIf(isLong)('names and texts of servers are text', async () => {
    const { page, problems } = opened
    await page.goto(`${world.url}/tools?server=odd`)
    await page.getByText('<script>window.pwned=1</script>').first().waitFor()
    await page.goto(`${world.url}/pins?server=odd`)
    await page.getByRole('rowheader').getByText('U+202E').waitFor()
    expect(await page.content()).not.toContain('\u202e')
    const names = [
      '<script>window.pwned=1</script>',
      'naïve/路径 %2F?#&',
      '..//up\\and%0a%2fdown+%',
    ]
    for (const name of names) {
      await page.goto(`${world.url}/tools?server=odd`)
      await page.getByRole('link', { name }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByRole('heading', { name: 'Try it' }).waitFor()
      await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
      await page.reload()
      await page.getByRole('button', { name: 'Call', exact: true }).waitFor()
    }
    expect(await page.evaluate('window.pwned')).toBeUndefined()
    expect(await page.locator('main b:has-text("bold"), main img, main script').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('a held tool says why, and has a page as soon as it is approved', async () => {
    const { page } = opened
    await page.goto(`${world.url}/tools?server=odd`)
    await page.getByRole('link', { name: 'up_and_down', exact: true }).click()
    await page.getByText(/^held: control characters/).waitFor()
    await page.getByRole('link', { name: 'Review of this server' }).click()
    await page.getByRole('checkbox', { name: /^Select up.*down of odd$/s }).check()
    await page.getByRole('button', { name: 'Approve selected' }).click()
    await page.getByText('1 definition approved.').waitFor()
    const name = 'up\nand\u0000down'
    await page.goto(`${world.url}/tools/tool?${new URLSearchParams({ server: 'odd', name })}`)
    await page.getByRole('heading', { level: 1, name: /and.*U\+0000/ }).waitFor()
    await page.getByText('A name of several lines.').first().waitFor()
  })

  test('a lost connection is told, and found again', async () => {
    const { page } = await world.openSignedIn()
    await page.getByRole('status').getByText('Live').waitFor()
    await page.context().setOffline(true)
    await page.evaluate('window.dispatchEvent(new Event("offline"))')
    await page.getByText('Reconnecting').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('status').getByText('Live').waitFor()
    await page.context().close()
  })
})
