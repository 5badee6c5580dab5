import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openOAuthWorld } from '../../../../packages/aggregator/test/upstream/oauth/oauth-world.ts'
import { configure, startAggregator, until } from './aggregator-process.ts'

// What a system opens a browser by finds none here.
const alone = {
  ...process.env,
  CI: '',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
  BROWSER: 'true',
  PATH: '/bin',
}

test('a user signs in once, by a call or by the command line, and is signed out again', async () => {
  const world = await openOAuthWorld({ servers: { notes: {} } })
  const account = { accounts: { one: {}, two: {} } }
  const { args, folder, remove } = configure({
    notes: { url: world.servers.notes.url, ...account },
  })
  const [main = '', ...options] = args
  const aggregator = await startAggregator(args, alone)
  const whoami = (name: string) => aggregator.call('notes', 'whoami', {}, name)

  const requested = await Promise.all(Array.from({ length: 20 }, () => whoami('one')))
  const [url = ''] = /http:\/\/\S+authorize\S+/.exec(requested[0] ?? '') ?? []
  expect(new Set(requested.map((said) => /http:\/\/\S+authorize\S+/.exec(said)?.[0]))).toEqual(
    new Set([url]),
  )
  expect((await world.openInBrowser(url, 'alice')).status).toBe(200)
  await until(() => aggregator.stderr().includes('notes@one: signed in.'))
  expect(await whoami('one')).toContain('alice')

  const login = command('login', 'notes@two')
  await until(() => login.said().includes('authorize'))
  const [other = ''] = /http:\/\/\S+authorize\S+/.exec(login.said()) ?? []
  await world.openInBrowser(other, 'bob')
  expect(await login.ended).toBe(0)
  await expect.poll(() => whoami('two')).toContain('bob')
  expect(await whoami('one')).toContain('alice')

  const kept = readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'state', name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n')
  expect(world.authorization.issued.length).toBeGreaterThan(1)
  for (const { accessToken, refreshToken = accessToken } of world.authorization.issued)
    for (const token of [accessToken, refreshToken])
      expect(kept + aggregator.stderr() + login.said()).not.toContain(token)

  const logout = command('logout', 'notes@one')
  expect(await logout.ended).toBe(0)
  expect(logout.said()).toContain('signed out, here and at the server')
  await aggregator.stop()
  await world.close()
  remove()

  function command(...words: string[]) {
    const child = spawn(process.execPath, [main, ...words, ...options], {
      env: alone,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
    return { said: () => said, ended: once(child, 'close').then(([code]) => code as number) }
  }
}, 60_000)
