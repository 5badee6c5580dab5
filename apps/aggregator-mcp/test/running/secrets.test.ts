import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { configure, odd, startAggregator, startOverHttp } from './aggregator-process.ts'

const down = 'http://127.0.0.1:9'
const dsn = (password: string): string => `postgresql://app:${password}@db.internal/prod`

/** One secret in each place of a launch, and the entry that has it there. */
const places: Record<string, readonly [secret: string, entry: (secret: string) => object]> = {
  address: ['Urlpass9w', (secret) => ({ ...odd(), args: [...odd().args, dsn(secret)] })],
  flag: ['Flagpass55y', (secret) => ({ ...odd(), args: [...odd().args, '--password', secret] })],
  pair: ['Pairpass22v', (secret) => ({ ...odd(), args: [...odd().args, `password=${secret}`] })],
  option: ['Dsnpass44z', (secret) => ({ ...odd(), args: [...odd().args, `--dsn=${dsn(secret)}`] })],
  positional: ['Pos1pass33x', (secret) => ({ ...odd(), args: [...odd().args, secret] })],
  header: [
    'Argheader6t',
    (secret) => ({
      ...odd(),
      args: [...odd().args, '--header', `Authorization: Bearer ${secret}`],
    }),
  ],
  json: [
    'Jsonpass7r',
    (secret) => ({ ...odd(), env: { EXTRA: `{"headers":{"X-Api-Key":"${secret}"}}` } }),
  ],
  variable: ['Keypass66u1', (secret) => ({ ...odd(), env: { API_KEY: secret } })],
  'variable with an address': ['Envpass77x', (secret) => ({ ...odd(), env: { DB: dsn(secret) } })],
  'path part': ['Pathpass8q4', (secret) => ({ url: `${down}/s/${secret}/mcp` })],
  'user part': ['User5partk', (secret) => ({ url: `http://${secret}@127.0.0.1:9/mcp` })],
  parameter: ['Querypass4m', (secret) => ({ url: `${down}/mcp?api_key=${secret}` })],
  'header of a request': [
    'Headpass3j',
    (secret) => ({ url: `${down}/mcp`, headers: { 'X-Api-Key': secret } }),
  ],
  file: ['Filepass2h8', (secret) => ({ ...odd(), env: { TOKEN: `\${file:${fileWith(secret)}}` } })],
}

let folder = ''
function fileWith(secret: string): string {
  const path = join(folder, 'secret-file')
  writeFileSync(path, secret, { mode: 0o600 })
  return path
}

const textsIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))

test('no secret of a launch is shown anywhere, wherever it stands', async () => {
  const { config, args, remove, ...made } = configure({})
  folder = made.folder
  onTestFinished(remove)
  const entries = Object.entries(places).map(([, [secret, entry]], at) => [`s${at}`, entry(secret)])
  const servers = { echo: odd(), ...Object.fromEntries(entries) }
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: servers, aggregator: { trust: { new: 'allow' } } }),
  )
  const run = (...words: string[]): string => {
    try {
      return execFileSync(process.execPath, [args[0] ?? '', ...words, ...args.slice(1)], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      })
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      return stdout + stderr
    }
  }
  const shown: Record<string, string> = {}
  const served = await startOverHttp(args)
  onTestFinished(() => served.stop())
  const tokenOf = (scope: string): string =>
    JSON.parse(run('token', 'create', scope.replace(':', '-'), '--scope', scope, '--json')).token
  const [reader, admin] = [tokenOf('console:read'), tokenOf('console:admin')]
  const api = async (path: string, token = reader, body?: object): Promise<string> => {
    const reply = await fetch(new URL(`/api/v1${path}`, served.url), {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    return reply.text()
  }
  // The server looks for new tokens after a moment.
  for (const token of [reader, admin])
    await expect.poll(() => api('/session', token)).toContain('"kind":"token"')
  // An edit that removes a secret: it is in the copy for undo.
  const edit = { edits: [{ path: ['mcpServers', 's7', 'env', 'API_KEY'] }] }
  shown['preview'] = await api('/config/preview', admin, edit)
  shown['set'] = run('config', 'set', 'mcpServers.s8.env.PASSWORD', places['address']?.[0] ?? '')
  for (const path of [
    '/config',
    '/servers',
    '/attention',
    ...entries.map(([name]) => `/servers/${name}`),
  ])
    shown[path] = await api(path)
  shown['plain'] = await api('/config?plain=true', admin)
  for (const command of ['list', 'doctor', 'status']) shown[command] = run(command)
  shown['config show'] = run('config', 'show')
  const client = await startAggregator([...args, '--stderr'])
  onTestFinished(() => client.stop())
  for (const [name] of entries) await client.call(String(name), 'pid')
  for (const [place, [secret]] of Object.entries(places)) {
    shown[`result ${place}`] = await client.call('echo', 'echo', { text: `cannot use ${secret}` })
    shown[`error ${place}`] = await client.call('echo', 'crash', { text: `cannot use ${secret}` })
  }
  shown['log'] = client.stderr() + served.stderr()
  shown['journal'] = run('journal', '--json')
  await api('/config/edit', admin, edit)
  shown['state'] = textsIn(join(folder, 'state')).join('\n')
  const clear = Object.entries(places).flatMap(([place, [secret]]) =>
    Object.entries(shown).flatMap(([outlet, text]) =>
      text.includes(secret) ? [`${place}: ${outlet}`] : [],
    ),
  )
  expect(clear).toEqual([])
  // Ordinary words stay.
  expect(shown['list']).toContain('echo')
  expect(shown['/servers']).toContain('odd-server.mjs')
  expect(shown['plain']).not.toContain('Envpass77x')
  expect(shown['result flag']).toContain('cannot use')
}, 60_000)
