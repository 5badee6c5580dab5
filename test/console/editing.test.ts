import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaultsInBothThemes } from './world/axe-faults.ts'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

// The operations are tested without a browser in every run.
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

const windows = [
  ['1440 pixels', { width: 1440, height: 900 }],
  ['390 pixels', { width: 390, height: 844 }],
] as const

describe.runIf(isRun)(`what is edited (or: ${noBrowser})`, () => {
  let world: TeamWorld
  let file = ''
  let text = ''
  const read = (): string => readFileSync(file, 'utf8')
  beforeAll(async () => {
    world = await openTeamWorld()
    file = join(world.folder, 'mcp.json')
    text = read()
  })
  afterAll(() => world.close())

  async function review(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Review the change' }).click()
    await page.getByRole('region', { name: 'Change of the configuration' }).waitFor()
  }

  async function save(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  async function undo(page: Page): Promise<void> {
    await page.goto(`${world.url}/settings`)
    await page
      .getByRole('button', { name: /^Undo / })
      .first()
      .click()
    await page.getByRole('button', { name: 'Undo this change' }).click()
    await page.getByText(/^Undone: /).waitFor()
    expect(read()).toBe(text)
  }

  describe.each(windows)('in a window of %s', (_, viewport) => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({ viewport })
    })
    afterAll(() => opened.page.context().close())

    test('a variable of a server is mended, and the change undone', async () => {
      const { page, problems } = opened
      await page.goto(`${world.url}/servers/warehouse`)
      await page.getByRole('button', { name: 'Edit warehouse' }).click()
      await page.getByRole('button', { name: 'Add a property' }).click()
      await page.getByLabel('Name', { exact: true }).fill('WAREHOUSE_URL')
      await page.getByLabel('Name', { exact: true }).blur()
      await page.getByLabel('WAREHOUSE_URL', { exact: true }).fill('${WAREHOUSE}')
      await review(page)
      expect(await axeFaultsInBothThemes(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      await save(page)
      const { mcpServers } = JSON.parse(read())
      expect(mcpServers.warehouse.env).toEqual({ WAREHOUSE_URL: '${WAREHOUSE}' })
      await undo(page)
      expect(problems).toEqual([])
    })

    test('every section of a server’s form can be used by everyone', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/github`)
      await page.getByRole('button', { name: 'Edit github' }).click()
      for (const section of ['Start', 'Tools', 'Limits', 'Trust', 'Accounts']) {
        await page.getByRole('dialog').getByLabel(section, { exact: true }).check()
        await page.getByRole('button', { name: 'Review the change' }).waitFor()
        expect([section, await axeFaultsInBothThemes(page)]).toEqual([section, []])
      }
    })

    test('a person gets a read-only profile', async () => {
      const { page } = opened
      await page.goto(`${world.url}/profiles`)
      await page.getByRole('button', { name: 'New profile' }).click()
      await page.getByLabel('Name', { exact: true }).fill('readers')
      await page.getByLabel('Read only').selectOption('true')
      await review(page)
      await save(page)
      await page.getByRole('heading', { name: 'readers' }).waitFor()
      await page.getByRole('button', { name: 'Edit readers' }).waitFor()
      await page.goto(`${world.url}/access?profile=readers`)
      await page.getByText('is not marked as read-only').first().waitFor()
      expect(await axeFaultsInBothThemes(page)).toEqual([])
      await undo(page)
    })

    test('a tool is switched off, and on again', async () => {
      const { page } = opened
      await page.goto(`${world.url}/servers/github`)
      const box = page.getByRole('checkbox', { name: 'Enable create_issue' })
      await box.uncheck()
      await page.getByRole('button', { name: 'Review 1 change' }).click()
      await page.getByRole('region', { name: 'Change of the configuration' }).waitFor()
      // The tools may be read before the configuration is.
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route('**/api/v1/config', (route) => released.then(() => route.continue()))
      await save(page)
      await page.getByText(/disabled by mcpServers\.github\.tools\.create_issue\.enabled/).waitFor()
      expect(await box.isChecked()).toBe(false)
      release()
      await page.getByRole('button', { name: 'Review changes' }).waitFor()
      expect(await box.isChecked()).toBe(false)
      await page.unroute('**/api/v1/config')
      await undo(page)
    })
  })

  test('a secret goes where secrets are stored, or into the file if a person says so', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/servers/github`)
    await page.getByRole('button', { name: 'Edit github' }).click()
    await page.getByRole('button', { name: 'Add a property' }).click()
    await page.getByLabel('newKey', { exact: true }).fill('s3cret-of-the-team')
    await review(page)
    const diff = page.getByRole('region', { name: 'Change of the configuration' })
    // Not saved: a test must not write into the keychain of its user.
    await diff.getByText(/\$\{(?:keychain|file):.*\/github\.env\.newKey\}/).waitFor()
    await page.getByLabel('github.env.newKey may be a secret').selectOption('file')
    await diff.getByText('•••••• (new)').waitFor()
    expect(await page.content()).not.toContain('s3cret-of-the-team')
    expect(read()).toBe(text)
    await page.context().close()
  })

  test('a file that changed meanwhile is not overwritten', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/settings`)
    await page.getByRole('button', { name: 'Edit: Limits' }).click()
    await page.getByRole('button', { name: 'Review the change' }).click()
    await page.getByText('Nothing has changed.').waitFor()
    await page.getByLabel('Session tokens').fill('5000')
    writeFileSync(file, `${text}\n`)
    await page.getByRole('button', { name: 'Review the change' }).click()
    await page.getByText('has changed since it was read').waitFor()
    writeFileSync(file, text)
    await page.context().close()
  })

  test('all of it by keyboard', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/settings`)
    await page.getByRole('button', { name: 'Edit: Limits' }).focus()
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Session tokens')
    await field.waitFor()
    for (let presses = 0; presses < 40; presses++) {
      if (await field.evaluate((element) => element === element.ownerDocument.activeElement)) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type('5000')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Change of the configuration' }).waitFor()
    const button = page.getByRole('button', { name: 'Save', exact: true })
    for (let presses = 0; presses < 10; presses++) {
      if (await button.evaluate((element) => element === element.ownerDocument.activeElement)) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(JSON.parse(read()).aggregator.limits).toEqual({ sessionTokens: 5_000 })
    await undo(page)
    await page.context().close()
  })

  test('a session without the scope sees why it cannot change what is started', async () => {
    const token = world.run('token', 'create', 'changer', '--scope', 'console').trim()
    const { page } = await world.open()
    await page.goto(world.url)
    await page.getByLabel('Or an access token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await page.goto(`${world.url}/servers/github`)
    const remove = page.getByRole('button', { name: 'Remove' })
    await remove.waitFor()
    expect(await remove.getAttribute('title')).toBe('This requires the scope console:admin.')
    await page.getByRole('button', { name: 'Edit github' }).click()
    await page.getByLabel('Command').fill('other')
    await review(page)
    const button = page.getByRole('button', { name: 'Save', exact: true })
    await expect.poll(() => button.getAttribute('title')).toContain('console:admin')
    await page.context().close()
  })
})
