import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFileJournalReader, type JournalLine } from '@pith-mcp/aggregator'
import { expect, test } from 'vitest'
import { configure, odd, startOverHttp, until } from './aggregator-process.ts'

const secret = 'q7Zr1-not-to-be-seen-anywhere'

test('the journal says who changed what, from the console, the command line and the file', async () => {
  const own = configure({ a: odd() })
  const journal = join(own.folder, 'state', 'journal')
  const env = { ...process.env, HOME: own.folder, XDG_CONFIG_HOME: '', XDG_STATE_HOME: '' }
  const [main = '', ...flags] = own.args
  const command = (...words: string[]): string => {
    const at = words.includes('--') ? words.indexOf('--') : words.length
    const argv = [main, ...words.slice(0, at), ...flags, ...words.slice(at)]
    return execFileSync(process.execPath, argv, { encoding: 'utf8', env, stdio: 'pipe' })
  }
  async function changes(): Promise<JournalLine[]> {
    const found: JournalLine[] = []
    for await (const line of createFileJournalReader(journal).read())
      if (line.kind === 'admin') found.push(line)
    return found
  }
  const lineOf = async (tool: string) => (await changes()).find((line) => line.tool === tool)

  command('add', 'b', '--env', `KEY=${secret}`, '--', process.execPath, secret)
  expect(() => command('remove', 'nowhere')).toThrow()
  command('token', 'create', 'ci', '--scope', 'console')
  command('list')
  command('token')
  command('pin')
  expect((await changes()).map(({ tool, via, outcome }) => [tool, via, outcome]).sort()).toEqual([
    ['add b', 'cli', 'ok'],
    ['remove nowhere', 'cli', 'failed'],
    ['token create ci', 'cli', 'ok'],
  ])
  const added = await lineOf('add b')
  expect(added?.caller).toMatch(/^user:./)
  expect(JSON.parse(added?.change ?? '')).toMatchObject({
    'mcpServers.b.command': [null, process.execPath],
    'mcpServers.b.env.KEY': [null, '…'],
  })

  const running = await startOverHttp(own.args, env)
  const { origin } = new URL(running.url)
  const link = new URL(command('console', '--print').trim())
  const post = (path: string, body: object, headers: object, method = 'POST') =>
    fetch(`${origin}/api/v1${path}`, {
      method,
      headers: { origin, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/session', { code: link.hash.slice('#code='.length) }, {})
  const { proof } = (await signedIn.json()) as { proof: string }
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  const mine = { cookie, 'x-pith-proof': proof }
  expect((await post('/servers/b', { enabled: false }, mine, 'PATCH')).status).toBe(204)
  await post('/servers/a/check', {}, mine)
  const call = { server: 'a', name: 'echo', arguments: { text: 'x' } }
  expect((await post('/tools/call', call, mine)).status).toBe(200)
  await until(() => /Configuration reloaded: removed b/.test(running.stderr()))
  const config = JSON.parse(readFileSync(own.config, 'utf8')) as { aggregator?: object }
  const aggregator = { ...config.aggregator, limits: { sessionTokens: 900_000 } }
  writeFileSync(own.config, JSON.stringify({ ...config, aggregator }))
  await until(() => running.stderr().match(/Configuration reloaded/g)?.length === 2)
  await post('/session', {}, mine, 'DELETE')
  await running.stop()

  const by = { caller: 'owner', via: 'console', outcome: 'ok' }
  expect(await lineOf('POST /session')).toMatchObject(by)
  expect(await lineOf('DELETE /session')).toMatchObject(by)
  expect(await lineOf('disable b')).toMatchObject({
    ...by,
    change: '{"mcpServers.b.enabled":[null,false]}',
  })
  const reloads = (await changes()).filter(({ tool }) => tool === 'reload')
  expect(reloads.map(({ via, message }) => [via, message])).toEqual([
    ['config', 'removed b'],
    ['config', 'aggregator.limits'],
  ])
  const calls: JournalLine[] = []
  for await (const line of createFileJournalReader(journal).read()) {
    expect(JSON.stringify(line)).not.toContain(secret)
    if (line.kind === 'call') calls.push(line)
  }
  expect(calls).toMatchObject([{ caller: 'owner', session: 'console', tool: 'echo' }])
  own.remove()
}, 60_000)

test('missing lines are named by status, doctor and the console, and refused if it fails closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pith-blocked-'))
  const own = configure({ a: odd() }, { journal: { folder, failClosed: true } })
  const run = (...words: string[]): string =>
    spawnSync(process.execPath, [own.args[0] ?? '', ...words, ...own.args.slice(1)], {
      encoding: 'utf8',
    }).stdout
  const token = 'a-token-of-the-owner'
  const env = { ...process.env, AGGREGATOR_MCP_TOKEN: token }
  const running = await startOverHttp(own.args, env)
  const { origin } = new URL(running.url)
  const ask = async (path: string, method: string, body?: object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const text = body && JSON.stringify(body)
    const url = `${origin}/api/v1${path}`
    return (await fetch(url, { method, headers, ...(text && { body: text }) })).text()
  }
  const call = { server: 'a', name: 'echo', arguments: { text: 'x' } }
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  // Not even the first is done.
  expect(await ask('/servers/a/check', 'POST')).toContain('"journal_unwritable"')
  expect(running.stderr()).toMatch(/The journal in .* cannot be written: (?:EEXIST|ENOTDIR)/)
  rmSync(folder)
  expect(await ask('/servers/a/check', 'POST')).toContain('"isHealthy":true')
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  // A change is done and its line lost; what comes next is refused.
  expect(await ask('/servers/a/check', 'POST')).toContain('"isHealthy":true')
  expect(await ask('/tools/call', 'POST', call)).toMatch(/Nothing was done.*failClosed/)
  expect(await ask('/servers/a/restart', 'POST')).toMatch(/"journal_unwritable".*remedy/)
  expect(await ask('/attention', 'GET')).toContain('"text":"1 line of the journal could not be')
  const wanted = /1 line of the journal could not be written/
  await until(() => wanted.test(run('status')))
  expect(run('doctor')).toMatch(wanted)
  await running.stop()
  rmSync(folder)
  own.remove()
}, 60_000)
