import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { configure, odd, startAggregator } from './aggregator-process.ts'

const secrets = {
  plain: 'plain-token-4711-abc',
  file: 'file-token-4712-"quoted"',
  command: 'command-token-4713-xyz',
}
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

const configured = configure({
  notes: {
    ...odd(),
    accounts: {
      plain: { env: { ODD_TOKEN: secrets.plain } },
      command: { env: { ODD_TOKEN: '${command:printf %s command-token-4713-xyz}' } },
    },
  },
})
let aggregator: Awaited<ReturnType<typeof startAggregator>>
beforeAll(async () => {
  const { folder, config } = configured
  const file = join(folder, 'token')
  writeFileSync(file, `${secrets.file}\n`, { mode: 0o600 })
  const written = JSON.parse(readFileSync(config, 'utf8')) as {
    mcpServers: { notes: { accounts: Record<string, object> } }
  }
  written.mcpServers.notes.accounts['file'] = { env: { ODD_TOKEN: `\${file:${file}}` } }
  writeFileSync(config, JSON.stringify(written))
  aggregator = await startAggregator([...configured.args, '--stderr'])
})
afterAll(async () => {
  await aggregator.stop()
  configured.remove()
})

test('accounts used a thousand times at once never cross, and no credential is seen', async () => {
  const names = Object.keys(secrets) as (keyof typeof secrets)[]
  const requested = Array.from({ length: 1_000 }, (_, n) => names[n % names.length] ?? 'plain')
  const said = await Promise.all(
    requested.map((account, n) =>
      aggregator.call('notes', n % 10 === 0 ? 'token' : 'hash', {}, account),
    ),
  )
  for (const [n, account] of requested.entries())
    expect(said[n]).toBe(n % 10 === 0 ? 'the token is [redacted]' : hashOf(secrets[account]))
  said.push(await aggregator.call('notes', 'crash', {}, 'file'))
  said.push(await aggregator.call('notes', 'nothing', {}, 'command'))
  const { folder } = configured
  const kept = readdirSync(join(folder, 'state'), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, 'state', name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'))
  expect(kept.length).toBeGreaterThan(2)
  const all = [...said, aggregator.stderr(), ...kept].join('\n')
  for (const secret of Object.values(secrets)) {
    expect(all).not.toContain(secret)
    expect(all).not.toContain(JSON.stringify(secret).slice(1, -1))
  }
})

test('a file that others can read is refused, with its remedy and without what it says', async () => {
  const file = join(configured.folder, 'token')
  chmodSync(file, 0o644)
  const other = await startAggregator(configured.args)
  const said = await other.call('notes', 'hash', {}, 'file')
  expect(said).toContain(`chmod 600 ${file}`)
  expect(said).not.toContain('4712')
  await other.stop()
})

test('what every account holds is listed by doctor, and approved by the name of the server', () => {
  const { args, remove } = configure({
    notes: {
      ...odd(),
      env: { ODD_DESCRIPTION: 'Says\u200Bit' },
      accounts: { own: { env: { ODD_TOKEN: 'a' } }, work: { env: { ODD_TOKEN: 'b' } } },
    },
  })
  const [main = '', ...options] = args
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [main, ...words, ...options], { encoding: 'utf8' })
  const held = run('doctor').stdout
  expect(held).toContain('notes@own.echo: held: invisible characters')
  expect(held).toContain('notes@work.echo: held: invisible characters')
  const [shown = ''] = /"echo"@[0-9a-f]{8}/.exec(run('pin', 'list', 'notes').stdout) ?? []
  const tool = shown.replaceAll('"', '')
  expect(run('pin', 'diff', 'notes@work', tool).stdout).toContain('notes@work "echo"@')
  expect(run('pin', 'approve', 'notes', 'echo@00000000').stderr).toContain(
    'Review it with pin diff',
  )
  expect(run('pin', 'approve', 'notes', tool).stdout).toBe(
    'approved: notes@own "echo"\napproved: notes@work "echo"\n',
  )
  expect(run('doctor').stdout).not.toContain('.echo: held')
  remove()
})
