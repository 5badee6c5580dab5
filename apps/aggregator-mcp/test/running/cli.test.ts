import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configure, odd, startAggregator, until } from './aggregator-process.ts'

const { folder, args, remove } = configure(
  { a: { ...odd(), tags: ['x'], env: { NOTE: 'x' } }, off: { command: 'x', disabled: true } },
  {
    profiles: { none: { servers: [] } },
    permissions: { deny: [{ tools: ['a.echo'], params: { text: 'loud' }, reason: 'Quiet' }] },
  },
)
afterAll(remove)
const [main = '', ...options] = args

/** A command with the options of the test after it. */
function run(...words: string[]) {
  const at = words.indexOf('--')
  const own =
    at < 0 ? [...words, ...options] : [...words.slice(0, at), ...options, ...words.slice(at)]
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...own], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, stdout, stderr }
}

describe('a command', () => {
  test.each([
    [
      'list',
      ['list'],
      0,
      /^a: .*has not answered yet \(aggregator-mcp doctor a\); tags x\noff: disabled\n$/,
    ],
    ['tools', ['tools', 'a'], 0, /^a\.echo\(\)\na\.crash\(\)\n/],
    ['tools --schema', ['tools', 'a', '--schema'], 0, /^\{"module":"a".*"tools":\[\{"name":"echo"/],
    ['search', ['search', 'echo'], 0, /^a\.echo\(\) \(name: echo\)\n/],
    ['search of what is switched off', ['search', 'off'], 0, /off is disabled/],
    ['call', ['call', 'a', 'echo', '{"text":"hi"}'], 0, /^hi\n$/],
    ['call --json', ['call', 'a', 'echo', '{"text":"hi"}', '--json'], 0, /"content": \[/],
    [
      'explain',
      ['explain', 'a', 'echo', '{"text":"hi"}'],
      0,
      /^a\.echo is called at once\.\nBecause of: aggregator\.permissions\.default\nArguments: \{"text":"hi"\}\n {2}aggregator\.trust: does not hold it\n {2}aggregator\.permissions\.deny\[0\]: deny, if its conditions are met\n$/,
    ],
    [
      'explain of what is denied',
      ['explain', 'a', 'echo', '{"text":"loud"}', '--json'],
      1,
      /"effect": "deny",\n {2}"setting": "aggregator\.permissions\.deny\[0\]",\n {2}"reason": "Quiet"/,
    ],
    ['approvals', ['approvals'], 0, /^0 calls waiting, 0 answers\.\n$/],
    ['call of what is not there', ['call', 'a', 'ehco'], 1, /Nearest: echo/],
    [
      'doctor',
      ['doctor'],
      1,
      /^.*can be read by other users.*\nNew tools are pinned when they are first seen\.\na: ok; 6 tools, protocol 2025 or earlier, odd 1, \d+ ms\nNeeds attention:\n {2}! a: Not reviewed: 6 tools of it run as first seen\. .*pin review a\n1 problem found\.\n$/,
    ],
    ['pin', ['pin'], 0, /^6 tools pinned, 0 waiting for approval\.\n$/],
    ['stats', ['stats', '--by', 'tool'], 0, /\na\.echo +2 /],
    ['journal', ['journal', '--kind', 'call'], 0, /Z {2}call {2}a\.echo {2}ok {2}\d+ ms {2}/],
    [
      'journal as CSV',
      ['journal', '--format', 'csv', '--server', 'a'],
      0,
      /^time,kind,.*\r\n.*,call,/,
    ],
    [
      'journal as JSON lines',
      ['journal', '--format', 'jsonl', '--tool', 'echo'],
      0,
      /"tool":"echo"/,
    ],
    ['journal of the failed', ['journal', '--outcome', 'failed', '--kind', 'list'], 0, /^$/],
    ['journal verify', ['journal', 'verify'], 0, /^\d+ lines in \d+ files, 0 faults\.\n$/],
    [
      'stats as CSV until a time',
      ['stats', '--by', 'tool', '--csv', '--until', '2020-01-01'],
      0,
      /^tool,calls,errors,refused,p50 ms,p95 ms,tokens in,tokens out,tokens saved\n$/,
    ],
    ['stats as CSV', ['stats', '--by', 'tool', '--csv', '--until', '0m'], 0, /\na\.echo,2,0,0,/],
    ['journal of a request', ['journal', '--request', 'none'], 0, /^$/],
    [
      'stats --lists',
      ['stats', '--lists'],
      0,
      /1 server, 6 tools[\s\S]*So few cost less over a session/,
    ],
    ['a profile', ['tools', '--profile', 'none'], 0, /^$/],
    [
      'call --select',
      ['call', 'a', 'echo', '{"text":"one\\ntwo"}', '--select', '$.content[0].text'],
      0,
      /^"one\\ntwo"\n\[selected 7 characters; the whole has 7 characters\]\n$/,
    ],
    [
      'call --select of what is not there',
      ['call', 'a', 'echo', '{"text":"hi"}', '--select', 'a'],
      0,
      /^\["a": not in the 2 characters of the result\]\nhi\n$/,
    ],
    ['help', ['call', '--help'], 0, /^aggregator-mcp call SERVER TOOL/],
  ])('%s', (_name, words, status, output) => {
    const said = run(...words)
    expect(said.stdout).toMatch(output)
    expect(said.status).toBe(status)
  })

  test.each([
    ['is unknown', ['lst'], 'Did you mean aggregator-mcp list?'],
    ['gets no params', ['call', 'a', 'echo', '{'], 'PARAMS must be valid JSON (line 1, column 2)'],
    ['lacks words', ['search'], 'Enter words to search for'],
    ['gets an option it has not', ['list', '--by', 'x'], "Unknown option '--by'"],
    ['names a profile that is not there', ['list', '--profile', 'x'], 'There is no such profile'],
    [
      'names no kind of line',
      ['journal', '--kind', 'x'],
      'call, meta, read, ask, list, admin, event',
    ],
    ['names a group that is none', ['stats', '--by', 'colour'], 'server, tool, account'],
  ])('that %s names the remedy, and exits with 2', (_name, words, message) => {
    const said = run(...words)
    expect(said.stderr).toContain(message)
    expect(said.status).toBe(2)
  })
})

describe('add and remove', () => {
  const file = join(folder, 'own.json')
  const written = () => JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: object }

  beforeAll(() => {
    if (existsSync(file)) throw new Error('left behind')
  })

  test('write what they are told, and nothing else', () => {
    const edit = (...words: string[]) =>
      spawnSync(process.execPath, [main, ...words], { encoding: 'utf8', timeout: 30_000 })
    const at = ['--config', file]
    expect(
      edit('add', 'local', ...at, '--env', 'KEY=${file:~/key}', '--', 'npx', '-y', 'x').status,
    ).toBe(0)
    expect(
      edit('add', 'far', 'https://far.example/mcp', ...at, '--header', 'X=1', '--tag', 't').status,
    ).toBe(0)
    expect(edit('add', 'local', ...at, '--account', 'work', '--env', 'KEY=2').status).toBe(0)
    expect(written().mcpServers).toEqual({
      far: { tags: ['t'], url: 'https://far.example/mcp', headers: { X: '1' } },
      local: {
        command: 'npx',
        args: ['-y', 'x'],
        env: { KEY: '${file:~/key}' },
        accounts: { work: { env: { KEY: '2' } } },
      },
    })
    expect(edit('remove', 'local@wrok', ...at).stderr).toContain('no server or account local@wrok')
    expect(edit('remove', 'local@work', ...at).stdout).toContain('Removed local@work from')
    expect(written().mcpServers).toMatchObject({ local: { env: { KEY: '${file:~/key}' } } })
    expect(JSON.stringify(written())).not.toContain('accounts')
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ // mine'))
    expect(edit('remove', 'far', ...at).status).toBe(0)
    expect(readFileSync(file, 'utf8')).toMatch(/^\{ \/\/ mine/)
    expect(readFileSync(file, 'utf8')).not.toContain('far')
  })

  test('keep the sandbox of what they replace', () => {
    const at = join(folder, 'boxed.json')
    const sandbox = { network: true }
    writeFileSync(at, JSON.stringify({ mcpServers: { it: { command: 'x', sandbox } } }))
    const words = ['add', 'it', '--force', '--config', at, '--', 'y']
    spawnSync(process.execPath, [main, ...words], { timeout: 30_000 })
    expect(JSON.parse(readFileSync(at, 'utf8'))).toEqual({
      mcpServers: { it: { command: 'y', sandbox } },
    })
  })

  test.each([
    ['what is there already', ['add', 'local', '--', 'x'], '--force'],
    ['an invalid name', ['add', '../x', '--', 'x'], 'The name must have at most 60 letters'],
    ['nothing to start', ['add', 'x'], 'or a URL'],
    ['an account of nothing', ['add', 'x', '--account', 'y'], 'Add the server x itself first'],
    ['what is not there', ['remove', 'locl'], 'Did you mean local?'],
  ])('refuse %s, and leave the file alone', (_name, words, message) => {
    const before = readFileSync(file, 'utf8')
    const at = words.indexOf('--')
    const given =
      at < 0
        ? [...words, '--config', file]
        : [...words.slice(0, at), '--config', file, ...words.slice(at)]
    const said = spawnSync(process.execPath, [main, ...given], {
      encoding: 'utf8',
      timeout: 30_000,
    })
    expect(said.stderr).toContain(message)
    expect(said.status).toBe(2)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})

test('status tells of those that run, and of no others', async () => {
  expect(run('status')).toMatchObject({ status: 1, stdout: 'No aggregator is running.\n' })
  const aggregator = await startAggregator(args)
  await aggregator.call('a', 'echo', { text: 'x' })
  await until(() => run('status').stdout.includes('a: ready, '))
  expect(run('status').stdout).toContain(`${aggregator.child.pid}: since `)
  aggregator.child.kill('SIGKILL')
  await until(() => run('status').status === 1)
})

test('a command that is interrupted ends with what it started', async () => {
  const child = spawn(process.execPath, [main, 'call', 'a', 'slow', '{"ms":60000}', ...options], {
    stdio: 'ignore',
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const servers = (): string[] =>
    spawnSync('ps', ['-ef'], { encoding: 'utf8' })
      .stdout.split('\n')
      .filter((line) => line.includes('odd-server.mjs') && line.includes(` ${child.pid} `))
  await until(() => servers().length > 0)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(servers()).toEqual([])
})

test('doctor says that there is no configuration, and how one is made', () => {
  const none = join(folder, 'none.json')
  const { status, stdout } = spawnSync(process.execPath, [main, 'doctor', '--config', none], {
    encoding: 'utf8',
  })
  expect(stdout).toContain(`There is no file ${none}. Run "aggregator-mcp import"`)
  expect(status).toBe(1)
})

test('nothing is wrong with a file that others can read and that has no credentials', () => {
  const plain = configure({ a: odd() })
  const [, ...own] = plain.args
  const { status, stdout } = spawnSync(process.execPath, [main, 'doctor', ...own], {
    encoding: 'utf8',
  })
  expect(stdout).toMatch(
    /^New tools .*\na: ok; .*\nNeeds attention:\n.* Not reviewed: .*\nNo problems found\.\n$/,
  )
  expect(status).toBe(0)
  plain.remove()
})

test('a tool that changed is approved from the command line, and works at once where it is used', async () => {
  const describedAs = (text: string) => ({ a: { ...odd(), env: { ODD_DESCRIPTION: text } } })
  const changing = configure(describedAs('Says it back'))
  const [, ...own] = changing.args
  const pin = (...words: string[]) =>
    spawnSync(process.execPath, [main, 'pin', ...words, ...own], { encoding: 'utf8' }).stdout
  const aggregator = await startAggregator(changing.args)
  const echo = () => aggregator.call('a', 'echo', { text: 'x' })
  expect(await echo()).toBe('x')
  writeFileSync(changing.config, JSON.stringify({ mcpServers: describedAs('Says\u200Bit twice') }))
  await until(() => aggregator.stderr().includes('restarted a'))
  expect(await echo()).toContain('"aggregator-mcp pin" lists it')
  expect(pin()).toMatch(/^a "echo"@[0-9a-f]{8}: changed since it was pinned; invisible characters/)
  const [hash = ''] = /@[0-9a-f]{8}/.exec(pin()) ?? []
  expect(pin('diff', 'a', 'echo')).toBe(
    `a "echo"${hash}: changed since it was pinned; invisible characters inside words
  - description: Says it back
  + description: Says\\u{200B}it twice
6 tools pinned, 1 waiting for approval.
Approve the first with: aggregator-mcp pin approve a "echo${hash}"
`,
  )
  expect(pin('approve', 'a', 'echo@00000000')).toBe('')
  expect(pin('approve', 'a', `echo${hash}`)).toBe('approved: a "echo"\n')
  expect(await echo()).toBe('x')
  expect(await aggregator.call('a', 'pid')).toContain('held')
  expect(pin('approve', 'a', '--all').trim().split('\n')).toHaveLength(5)
  expect(pin('approve', 'a', '--all')).toBe('No matching tool waits for approval.\n')
  await aggregator.stop()
  changing.remove()
})

test('doctor names each definition that clients would refuse, and why', () => {
  const { args: own, remove } = configure({ m: odd('--malformed'), ok: odd() })
  const { status, stdout } = spawnSync(process.execPath, [main, 'doctor', ...own.slice(1)], {
    encoding: 'utf8',
  })
  expect(stdout).toContain('tools null: listed with changes: inputSchema.required is null')
  expect(stdout).toContain('tools text: left out of lists; it can be called: inputSchema is "{}"')
  expect(stdout).toContain('2 problems found.')
  expect(status).toBe(1)
  remove()
})
