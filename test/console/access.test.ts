import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserPath, noBrowser } from './world/open-browser.ts'
import { openTeamWorld, type TeamWorld } from './world/open-team-world.ts'

// Tests without a browser cover sign-ins in every run; this file covers every page of them.
const isWanted = browserPath !== undefined && process.env['LONG'] === '1'

describe.runIf(isWanted)(`who may come in (or: ${noBrowser})`, () => {
  let world: TeamWorld
  beforeAll(async () => {
    world = await openTeamWorld()
  })
  afterAll(() => world.close())

  test('a link signs in once and leaves nothing in the address', async () => {
    const link = world.link()
    const { page } = await world.open()
    await page.goto(link)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(page.url()).toBe(`${world.url}/`)
    const other = await world.open()
    await other.page.goto(link)
    await other.page.getByRole('alert').waitFor()
    expect(await other.page.getByRole('alert').textContent()).toContain('already used')
    expect(other.page.url()).toBe(`${world.url}/`)
  })

  test('it works under a prefix, at another port', async () => {
    const proxy = await startProxy(world.url, '/pith')
    try {
      const { page } = await world.open()
      const code = new URL(world.link()).hash
      await page.goto(`${proxy.url}/pith/${code}`)
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      await page.getByRole('link', { name: 'Servers' }).first().click()
      await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
      expect(page.url()).toBe(`${proxy.url}/pith/servers`)
      await page.getByRole('status').getByText('Live').waitFor()
      await page.goto(`${proxy.url}/pith/servers/github`)
      await page.getByRole('heading', { level: 1, name: 'github' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'github' }).waitFor()
    } finally {
      proxy.close()
    }
  })

  test('signing out leads to the sign-in page', async () => {
    const { page } = await world.openSignedIn()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })

  test('the cookie by itself is worth nothing, and what scripts hold goes with the session', async () => {
    const { page } = await world.openSignedIn()
    expect((await world.ask(page, '/servers')).status()).toBe(200)
    expect((await page.request.get(`${world.url}/api/v1/servers`)).status()).toBe(401)
    await page.evaluate("localStorage.setItem('pith.proof', 'another')")
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await page.evaluate("localStorage.getItem('pith.proof')")).toBeNull()
  })

  test('all tabs follow when one signs out, and when one signs in', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/servers`)
    const other = await page.context().newPage()
    await other.goto(world.url)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await other.goto(world.link())
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
  })

  test('an unknown address gives an error with a link', async () => {
    const { page } = await world.openSignedIn()
    for (const [path, name] of [
      ['/servers/nope', 'Servers'],
      ['/tools/tool?server=github&name=nope', 'Tools'],
    ] as const) {
      await page.goto(world.url + path)
      const note = page.getByRole('alert')
      await note.getByText('There is no').waitFor()
      // A 404 is not retried.
      let retries = 0
      page.on('request', (request) => {
        if (request.url().includes('nope')) retries++
      })
      await page.waitForTimeout(4_000)
      expect(retries).toBe(0)
      await note.getByRole('link').click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
    }
  })

  test('a token that may look sees all and changes nothing', async () => {
    const token =
      world
        .run('token', 'create', 'watcher', '--scope', 'console:read')
        .trim()
        .split(/\s+/)
        .at(-1) ?? ''
    const { page, problems } = await world.open()
    await page.goto(`${world.url}/servers/github`)
    await page.getByLabel('Or an access token').fill('not a token')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Or an access token').fill(token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'github' }).waitFor()
    await page.getByText('This session is read-only').waitFor()
    const restart = page.getByRole('button', { name: 'Restart github' })
    expect(await restart.getAttribute('aria-disabled')).toBe('true')
    expect(await restart.getAttribute('title')).toContain('console:read')
    await restart.click({ force: true })
    const { starts } = await (await world.ask(page, '/servers/github')).json()
    expect(starts).toBe(1)
    expect(problems).toEqual([])
  })

  test('a user signs in at a server in a tab of its own', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/accounts`)
    const row = page.getByRole('row', { name: /notion/ })
    await row.getByText('Not signed in').waitFor()
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      row.getByRole('button', { name: 'Sign in to notion' }).click(),
    ])
    await tab.waitForLoadState()
    expect(await tab.evaluate('window.opener')).toBeNull()
    await row.getByText('Signed in', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Sign out of notion' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await row.getByText('Not signed in').waitFor()
  })

  test('tokens are shown once, and revoked', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/tokens`)
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('laptop')
    await dialog.getByLabel('Profile').selectOption('support')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Copy the token now' }).waitFor()
    const token = ((await dialog.locator('pre').first().textContent()) ?? '').trim()
    expect(token.length).toBeGreaterThan(20)
    await dialog.getByRole('button', { name: 'I have copied it' }).click()
    const row = page.getByRole('row', { name: /laptop/ })
    await row.getByText('support').waitFor()
    expect(await page.content()).not.toContain(token)
    await row.getByRole('button', { name: 'Revoke laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('1 token revoked or expired').click()
    await row.getByText('revoked').waitFor()
  })

  test('everything is reached by keyboard, and the focus follows', async () => {
    const { page } = await world.openSignedIn()
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.textContent || document.activeElement.ariaLabel',
      )
    await page.keyboard.press('Tab')
    expect(await focused()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').pressSequentially('create_issue')
    await page.getByRole('option', { name: /create_issue/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'create_issue' }).waitFor()
    await expect.poll(focused).toBe('create_issue')
    await page.goto(`${world.url}/servers`)
    const stop = page.getByRole('button', { name: 'Stop stripe' })
    await stop.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Stop')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('row', { name: /stripe/ })
      .getByText('Stopped')
      .waitFor()
  })

  test('the theme is chosen and remembered', async () => {
    const { page } = await world.openSignedIn({ colorScheme: 'light' })
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await background()
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await background()).not.toBe(light)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await background()).not.toBe(light)
  })

  test('a page whose code failed to load is loaded on retry, and at the next sign-in', async () => {
    const { page } = await world.openSignedIn()
    const code = '**/assets/*-page-*.js'
    const note = page.getByRole('alert')
    const miss = async (name: string) => {
      await page.route(code, (route) => route.abort())
      await page.getByRole('link', { name, exact: true }).click()
      await note.getByText('The code of this page could not be loaded.').waitFor()
      await page.unroute(code)
    }
    await miss('Usage')
    await note.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('heading', { level: 1, name: 'Usage' }).waitFor()
    await miss('Profiles')
    const other = await page.context().newPage()
    await other.goto(world.url)
    await other.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await other.goto(world.link())
    await page.getByRole('heading', { level: 1, name: 'Profiles' }).waitFor()
  })

  test('a restart of the aggregator requires a new sign-in', async () => {
    const { page } = await world.openSignedIn()
    await page.goto(`${world.url}/servers`)
    await page.getByRole('status').getByText('Live').waitFor()
    await world.restart()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await page.getByRole('alert').textContent()).toContain('The session has ended.')
    const other = await page.context().newPage()
    await other.goto(world.link())
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
    await page.getByRole('status').getByText('Live').waitFor()
    await page.getByRole('button', { name: 'Start github' }).click()
    await page.getByText('github started.').waitFor()
  })
})

/** Like the nginx in the manual: strips a prefix, and passes `Host` on with its port. */
async function startProxy(target: string, prefix: string) {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, response) => {
    const { url = '/', method, headers } = incoming
    if (!url.startsWith(`${prefix}/`)) return void response.writeHead(404).end()
    const path = url.slice(prefix.length)
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
