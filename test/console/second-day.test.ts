import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeFaults } from './world/axe-faults.ts'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

const isWanted = browserPath !== undefined && process.env['LONG'] === '1'

/** What an operator does on the second day, each in at most so many clicks, choices and entries. */
describe.runIf(isWanted)(`the second day (or: ${noBrowser})`, () => {
  let world: TeamWorld
  let opened: Watched
  let actions = 0
  const go = async (path: string): Promise<void> => {
    actions = 0
    await opened.page.goto(`${world.url}${path}`)
  }
  const act = async (what: Promise<unknown>): Promise<void> => {
    actions++
    await what
  }
  const button = (name: string | RegExp) => opened.page.getByRole('button', { name })
  const dialog = () => opened.page.getByRole('dialog')
  const noFaults = async (): Promise<void> => {
    expect(await axeFaults(opened.page)).toEqual([])
    expect(opened.problems).toEqual([])
  }
  beforeAll(async () => {
    world = await openTeamWorld()
    opened = await world.openSignedIn({ viewport: { width: 1440, height: 900 } })
  })
  afterAll(() => world.close())

  test('a call of a tool is bound to an argument: 4', async () => {
    await world.call('github', 'list_issues', { owner: 'acme' })
    await world.call('github', 'list_issues', { owner: 'other' })
    await go('/tools/tool?server=github&name=list_issues')
    await act(button('Ask before this… github.list_issues').click())
    await act(dialog().getByLabel('owner: value').fill('acme'))
    await dialog()
      .getByText('A person is asked before each call of github.list_issues if owner is acme.')
      .waitFor()
    await dialog().getByText('It would have met 1 of the last 2 calls').waitFor()
    await noFaults()
    await act(dialog().getByRole('button', { name: 'Save' }).click())
    await dialog().waitFor({ state: 'detached' })
    expect(actions).toBeLessThanOrEqual(4)
    await expect
      .poll(async () =>
        JSON.stringify(await world.call('github', 'list_issues', { owner: 'acme' })),
      )
      .toContain('waits for approval')
    expect(
      JSON.stringify(await world.call('github', 'list_issues', { owner: 'other' })),
    ).not.toContain('waits')
  })

  test('… and from a call that waits, with its values: 3', async () => {
    await go('/approvals')
    await act(button('Never… github.list_issues').first().click())
    await act(dialog().getByLabel('owner: test').selectOption('is'))
    await dialog().getByText('Calls of github.list_issues are denied if owner is acme.').waitFor()
    await act(dialog().getByRole('button', { name: 'Save' }).click())
    await dialog().waitFor({ state: 'detached' })
    expect(actions).toBeLessThanOrEqual(4)
    await noFaults()
  })

  test('the value of a token is replaced: 2', async () => {
    await go('/tokens')
    await button('Create token').click()
    await dialog().getByLabel('Name').fill('ada')
    await dialog().getByRole('button', { name: 'Create' }).click()
    await button('I have copied it').click()
    actions = 0
    await act(button('Replace ada').click())
    await act(dialog().getByRole('button', { name: 'Replace' }).click())
    await dialog()
      .getByText(/claude mcp add --transport http/)
      .waitFor()
    await dialog().getByText('The value before is valid until').waitFor()
    expect(actions).toBe(2)
    await noFaults()
    await button('I have copied it').click()
  })

  test('a tool is disabled: 3', async () => {
    await go('/servers/grafana')
    await act(opened.page.getByRole('checkbox', { name: 'Enable list_dashboards' }).uncheck())
    await act(button(/^Review (?:changes|1 change)/).click())
    await act(dialog().getByRole('button', { name: 'Save' }).click())
    await dialog().waitFor({ state: 'detached' })
    expect(actions).toBe(3)
    await noFaults()
    await expect
      .poll(async () => JSON.stringify(await world.call('grafana', 'list_dashboards')))
      .toContain('disabled by mcpServers.grafana.tools.list_dashboards.enabled')
  })

  test('what waits is approved, also of a server that is not the first: 2', async () => {
    world.twist({ create_message: 'Says something else.' })
    await go('/servers/slack')
    // Its notification is gone after a while, which a busy machine can miss.
    const restarted = opened.page.waitForResponse((reply) => reply.url().endsWith('/restart'))
    await button('Restart slack').click()
    expect((await restarted).ok()).toBe(true)
    await go('/pins')
    await act(button(/^All of slack/).click())
    await act(button('Approve selected').click())
    await opened.page
      .getByRole('row', { name: /^Select create_message/ })
      .waitFor({ state: 'detached' })
    expect(actions).toBe(2)
    await noFaults()
  })

  test('the third last change is undone: 3', async () => {
    await go('/settings')
    const rows = opened.page.getByRole('button', { name: /^Undo / })
    await rows.nth(2).waitFor()
    expect(await rows.count()).toBe(3)
    await act(rows.nth(2).click())
    await dialog()
      .getByText(/list_issues/)
      .first()
      .waitFor()
    await noFaults()
    await act(dialog().getByRole('button', { name: 'Undo this change' }).click())
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => rows.count()).toBe(2)
    expect(actions).toBeLessThanOrEqual(3)
    // The rule that was made later still holds.
    await expect
      .poll(async () =>
        JSON.stringify(await world.call('github', 'list_issues', { owner: 'acme' })),
      )
      .toContain('aggregator.permissions.deny[0]')
  })

  test('why a server is down: 0', async () => {
    await go('/')
    await opened.page.getByText(/The server is down: .*password authentication failed/).waitFor()
    expect(actions).toBe(0)
  })
})
