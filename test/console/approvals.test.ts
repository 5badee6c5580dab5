import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeFaultsInBothThemes } from './world/axe-faults.ts'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld, type Watched } from './world/open-team-world.ts'

// The operations are tested without a browser in every run.
const isRun = browserPath !== undefined && process.env['LONG'] === '1'

const windows = [
  ['1440 pixels', { width: 1440, height: 900 }],
  ['390 pixels', { width: 390, height: 844 }],
] as const

const permissions = {
  deny: [{ tools: ['github.list_labels'] }],
  ask: [
    { tools: ['github.create_issue'], reason: 'Issues are public.' },
    { tools: ['github.delete_issue'], approver: 'another' },
  ],
}

/** Buttons and fields of the page that are too small for a finger. */
const smallTargets = `[...document.querySelectorAll('main :is(.button, select, summary)')]
  .filter((target) => target.checkVisibility() && target.getBoundingClientRect().height < 44)
  .map((target) => target.outerHTML.slice(0, 120))`

describe.runIf(isRun)(`calls that wait for a person (or: ${noBrowser})`, () => {
  let world: TeamWorld
  beforeAll(async () => {
    world = await openTeamWorld({ permissions })
  })
  afterAll(() => world.close())
  afterEach(() => {
    const ids = [...world.run('approvals').matchAll(/^([0-9a-f]{12}) /gm)].map(([, id = '']) => id)
    for (const id of ids) world.run('approvals', 'revoke', id)
  })

  /** The text of the reply to a call. */
  async function create(title: string, client = world.client): Promise<string> {
    const params = { owner: 'acme', repo: 'shop', title, body: 'a\u202eb' }
    const input = { module: 'github', tool_name: 'create_issue', params }
    return textOf(await client.callTool({ name: 'call', arguments: input }))
  }

  async function openApprovals(page: Page): Promise<void> {
    await page.goto(`${world.url}/approvals`)
    await page.getByRole('heading', { level: 1, name: 'Requests' }).waitFor()
    await page.getByText(/^\d+ calls? waits? for approval\.$/).waitFor()
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const approveOnce = 'Approve once: github.create_issue'
  const waits = (page: Page, count: string) => page.getByText(`${count} for approval.`).waitFor()

  async function tabTo(target: Locator): Promise<void> {
    for (let presses = 0; presses < 80; presses++) {
      if (await target.evaluate((element) => element === element.ownerDocument.activeElement))
        return
      await target.page().keyboard.press('Tab')
    }
    throw new Error(`Tab does not reach ${target}.`)
  }

  describe.each(windows)('in a window of %s', (_, viewport) => {
    let opened: Watched
    beforeAll(async () => {
      opened = await world.openSignedIn({ viewport })
    })
    afterAll(() => opened.page.context().close())

    async function expectNoFaults(page: Page): Promise<void> {
      expect(await axeFaultsInBothThemes(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width)
      if (viewport.width < 640) expect(await page.evaluate(smallTargets)).toEqual([])
    }

    test('a call is shown when it begins to wait, and made once after its approval', async () => {
      const { page, problems } = opened
      await openApprovals(page)
      await page.getByText('Nothing to approve').waitFor()
      await page.getByRole('main').getByRole('link', { name: 'Settings' }).waitFor()
      await expectNoFaults(page)
      expect(await create('One')).toContain('waits for approval')
      const call = page.getByRole('region', { name: 'github.create_issue', exact: true })
      await call.getByText('aggregator.permissions.ask[0]: Issues are public.').waitFor()
      await call.getByText('a client without a name').waitFor()
      const args = call.getByRole('region', { name: 'Arguments of github.create_issue' })
      expect(await args.textContent()).toBe(
        '{\n  "owner": "acme",\n  "repo": "shop",\n  "title": "One",\n  "body": "aU+202Eb"\n}',
      )
      await expectNoFaults(page)
      if (viewport.width > 640)
        await page.getByRole('link', { name: 'Requests 1 need attention' }).waitFor()
      await button(page, approveOnce).click()
      const row = page.getByRole('row', { name: /github\.create_issue.*Approved once/ })
      await row.getByText('The owner').waitFor()
      expect(await page.evaluate('document.activeElement.textContent')).toMatch(/for approval/)
      await row.getByText(/^\d+ characters$/).click()
      await row.getByText('"title": "One"').waitFor()
      await expectNoFaults(page)
      expect(await create('One')).toContain('"title":"One"')
      await row.waitFor({ state: 'detached' })
      expect(await create('One')).toContain('waits for approval')
      await waits(page, '1 call waits')
      expect(problems).toEqual([])
    })

    test('a refused call is not made, until the refusal is revoked', async () => {
      const { page, problems } = opened
      await openApprovals(page)
      await create('Two')
      await button(page, 'Refuse: github.create_issue').click()
      await page.getByRole('row', { name: /github\.create_issue.*Refused/ }).waitFor()
      expect(await create('Two')).toContain('was refused by owner')
      await expectNoFaults(page)
      await button(page, 'Revoke: github.create_issue').click()
      await page.getByRole('region', { name: 'Valid answers' }).waitFor({ state: 'detached' })
      expect(await create('Two')).toContain('waits for approval')
      await waits(page, '1 call waits')
      expect(problems).toEqual([])
    })

    test('an answer that is not accepted is shown with its remedy', async () => {
      const { page } = opened
      const other = await world.connect(world.run('token', 'create', 'owner').trim())
      const input = {
        module: 'github',
        tool_name: 'delete_issue',
        params: { id: '7', confirm: true },
      }
      await other.callTool({ name: 'call', arguments: input })
      await openApprovals(page)
      const call = page.getByRole('region', { name: 'github.delete_issue', exact: true })
      await call.getByText('another person than the caller').waitFor()
      await button(page, 'Approve once: github.delete_issue').click()
      await call.getByRole('alert').getByText('Another person must sign in').waitFor()
      await expectNoFaults(page)
      world.run('token', 'revoke', 'owner')
      await other.close()
    })

    test('what would happen to a call is said on the page of its tool', async () => {
      const { page } = opened
      await page.goto(`${world.url}/tools/tool?server=github&name=create_issue`)
      const panel = page.getByRole('region', { name: 'What would happen?' })
      await page.getByLabel('title').fill('Three')
      await button(page, 'Explain').click()
      await panel.getByRole('alert').getByText('repo').first().waitFor()
      await page.getByLabel('owner').fill('acme')
      await page.getByLabel('repo').fill('shop')
      await button(page, 'Explain').click()
      const explanation = panel.getByText('waits until a person approves it')
      await explanation.waitFor()
      await panel.getByText('aggregator.permissions.ask[0]: Issues are public.').waitFor()
      await panel.getByText('"title": "Three"').waitFor()
      await expectNoFaults(page)
      // What was said is not of other arguments.
      await page.getByLabel('title').fill('Four')
      await explanation.waitFor({ state: 'detached' })
      await panel.getByLabel('Called by').selectOption('profile support')
      await button(page, 'Explain').click()
      await panel
        .getByText('aggregator.profiles.support.readOnly: it is not marked as read-only')
        .waitFor()
      for (const [tool, effect] of [
        ['list_labels', 'is denied'],
        ['list_issues', 'is made at once'],
      ] as const) {
        await page.goto(`${world.url}/tools/tool?server=github&name=${tool}`)
        // The form fills in defaults.
        await button(page, 'Call').waitFor()
        await button(page, 'Explain').click()
        await panel.getByText(effect).waitFor()
      }
    })
  })

  test('a call is approved until revoked, and its approval revoked, by keyboard only', async () => {
    const { page } = await world.openSignedIn()
    await create('Five')
    await openApprovals(page)
    await tabTo(page.getByLabel('Approve', { exact: true }))
    await page.keyboard.press('End')
    await waits(page, '1 call waits')
    await tabTo(button(page, 'Approve until revoked: github.create_issue'))
    await page.keyboard.press('Enter')
    await page.getByText('it is revoked').waitFor()
    for (const _ of 'twice') expect(await create('Five')).toContain('"title":"Five"')
    await tabTo(button(page, 'Revoke: github.create_issue'))
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Valid answers' }).waitFor({ state: 'detached' })
    expect(await create('Five')).toContain('waits for approval')
    await page.context().close()
  })

  test('an approval for a session is not one for another session', async () => {
    const { page } = await world.openSignedIn()
    await create('Six')
    await openApprovals(page)
    await page.getByLabel('Approve', { exact: true }).selectOption('for its session')
    await button(page, 'Approve for its session: github.create_issue').click()
    await page.getByText('Approved for its session', { exact: true }).waitFor()
    for (const _ of 'twice') expect(await create('Six')).toContain('"title":"Six"')
    const other = await world.connect()
    expect(await create('Six', other)).toContain('waits for approval')
    await other.close()
    await page.context().close()
  })

  test('the second click of two does not approve the call that moved there', async () => {
    const { page } = await world.openSignedIn()
    await create('Seven')
    await create('Eight')
    await openApprovals(page)
    await waits(page, '2 calls wait')
    const answers: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') answers.push(request.postData() ?? '')
    })
    const { x, y, width, height } = (await button(page, approveOnce).first().boundingBox()) ?? {
      ...{ x: 0, y: 0, width: 0, height: 0 },
    }
    const middle = [x + width / 2, y + height / 2] as const
    await page.mouse.click(...middle)
    await waits(page, '1 call waits')
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    await button(page, 'Refuse: github.create_issue').click()
    await waits(page, '0 calls wait')
    expect(answers).toEqual(['{"answer":"once"}', '{"answer":"refused"}'])
    await page.context().close()
  })

  test('a call that was answered meanwhile is not answered again', async () => {
    const { page } = await world.openSignedIn()
    // Without events the page does not hear of it.
    await page.route('**/api/v1/events', (route) => route.abort())
    await create('Nine')
    await openApprovals(page)
    await waits(page, '1 call waits')
    const [, id = ''] = /^(\w+) waiting/m.exec(world.run('approvals')) ?? []
    world.run('approvals', 'refuse', id)
    await button(page, approveOnce).click()
    await page.getByRole('alert').getByText('It was answered or revoked meanwhile').waitFor()
    await page.getByRole('row', { name: /github\.create_issue.*Refused/ }).waitFor()
    await page.context().close()
  })

  test('who may only read sees the calls, and why they cannot be answered', async () => {
    const token = world.run('token', 'create', 'reader', '--scope', 'console:read').trim()
    const { page } = await world.open()
    await create('Ten')
    await page.goto(world.url)
    await page.getByLabel('Or an access token').fill(token)
    await button(page, 'Sign in').click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await openApprovals(page)
    expect(await button(page, approveOnce).getAttribute('title')).toContain('read-only')
    await page.context().close()
  })

  test('a person adds a rule by keyboard, and the next call is asked about', async () => {
    const file = join(world.folder, 'mcp.json')
    const before = readFileSync(file, 'utf8')
    const { page } = await world.openSignedIn()
    const send = (title: string) => world.call('slack', 'create_message', { title }).then(textOf)
    expect(await send('secret plan')).toContain('"title":"secret plan"')
    await page.goto(`${world.url}/settings`)
    await button(page, 'Edit: Permissions').focus()
    await page.keyboard.press('Enter')
    const list = page.getByRole('group', { name: 'Ask', exact: true })
    await tabTo(list.getByRole('button', { name: 'Add an item' }))
    await page.keyboard.press('Enter')
    const rule = list.getByRole('group', { name: 'Ask-3', exact: true })
    await tabTo(rule.getByLabel('Tools'))
    await page.keyboard.type('slack.create_message')
    await tabTo(rule.getByLabel('Params'))
    await page.keyboard.type('{"title": {"prefix": "secret')
    await rule.getByText('This is not valid JSON (line 1, column 29).').waitFor()
    await tabTo(button(page, 'Review the change'))
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('params must be an object').waitFor()
    await tabTo(button(page, 'Back'))
    await page.keyboard.press('Enter')
    await tabTo(rule.getByLabel('Params'))
    await page.keyboard.press('Control+End')
    await page.keyboard.type('"}}')
    await tabTo(rule.getByLabel('Destructive hint'))
    await page.keyboard.press('End')
    expect(await axeFaultsInBothThemes(page)).toEqual([])
    await tabTo(button(page, 'Review the change'))
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Change of the configuration' }).waitFor()
    await tabTo(button(page, 'Save'))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(JSON.parse(readFileSync(file, 'utf8')).aggregator.permissions).toEqual({
      ...permissions,
      ask: [
        ...permissions.ask,
        {
          tools: ['slack.create_message'],
          params: { title: { prefix: 'secret' } },
          annotations: { destructiveHint: false },
        },
      ],
    })
    await expect.poll(() => send('secret plan')).toContain('waits for approval')
    expect(await send('plan')).toContain('"title":"plan"')
    await page.goto(`${world.url}/settings`)
    await page
      .getByRole('button', { name: /^Undo / })
      .first()
      .click()
    await button(page, 'Undo this change').click()
    await page.getByText(/^Undone: /).waitFor()
    expect(readFileSync(file, 'utf8')).toBe(before)
    await page.context().close()
  })
})

function textOf({ content }: object & { content?: unknown }): string {
  return (content as { text?: string }[]).map(({ text }) => text).join('\n')
}
