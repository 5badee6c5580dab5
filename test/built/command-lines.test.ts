import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'

const execute = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'pith-commands-'))
writeFileSync(join(folder, 'sum.ts'), 'export function sum(a: number) {\n  return a\n}\n')
writeFileSync(join(folder, 'guide.md'), '# Guide\n\nRun the installer.\n')
writeFileSync(join(folder, 'aggregator.json'), '{ "mcpServers": {} }')
afterAll(() => rmSync(folder, { recursive: true }))

function run(program: string, ...args: string[]) {
  const main = resolve(`apps/${program}/dist/main.js`)
  const cache = join(folder, 'cache')
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: {
      ...process.env,
      HOME: join(folder, 'home'),
      DOCS_MCP_CACHE: cache,
      CODE_MCP_CACHE: cache,
    },
  })
  return { status, stdout, stderr }
}

/** A command of each program, and the same mistyped. */
const programs = [
  { program: 'docs-mcp', command: 'search', typed: 'serch', option: '--max-results' },
  { program: 'code-mcp', command: 'find', typed: 'fnid', option: '--path' },
  { program: 'aggregator-mcp', command: 'search', typed: 'serch', option: '--limit' },
]

describe.each(programs)('$program', ({ program, command, typed, option }) => {
  test('help prints what --help prints', () => {
    expect(run(program, 'help')).toEqual(run(program, '--help'))
    expect(run(program, 'help').stdout.length).toBeGreaterThan(1_000)
  })

  test('help of a command is short, and what its --help prints', () => {
    const { status, stdout } = run(program, 'help', command)
    expect(status).toBe(0)
    expect(stdout).toContain(`${program} ${command} `)
    expect(stdout).toContain(option)
    expect(stdout.split('\n').length).toBeLessThan(30)
    expect(run(program, command, '--help').stdout).toBe(stdout)
  })

  test.each([[[typed]], [['help', typed]]])(
    '%j is answered with the command that is meant',
    (args) => {
      const { status, stdout, stderr } = run(program, ...args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toContain(`Did you mean ${program} ${command}?`)
      expect(stderr).toMatch(new RegExp(`^${program}: .*\nTry ${program} --help\\.\n$`))
    },
  )

  test('doctor ends with 0 where all is well', () => {
    const place = program === 'aggregator-mcp' ? ['--config', 'aggregator.json'] : ['.']
    expect(run(program, 'doctor', ...place)).toMatchObject({ status: 0, stderr: '' })
  })
})

test('every command of a program is in its help', { timeout: 120_000 }, async () => {
  for (const { program } of programs) {
    const { stderr } = run(program, 'help', 'zzzzzz')
    const commands = /The commands are (.*)\./.exec(stderr)?.[1]?.split(', ') ?? []
    expect(commands.length).toBeGreaterThan(5)
    const { stdout } = run(program, 'help')
    for (const command of commands) expect(stdout).toMatch(new RegExp(`\\b${command}\\b`))
    // Each is a process: the long tier has them.
    const helped = process.env['LONG'] === '1' ? commands : []
    const main = resolve(`apps/${program}/dist/main.js`)
    const texts = await Promise.all(
      helped.map((command) => execute(process.execPath, [main, 'help', command])),
    )
    for (const [at, { stdout }] of texts.entries())
      expect(stdout).toContain(`${program} ${helped[at]}`)
  }
})

test('a question of code-mcp without a match ends with 1', () => {
  expect(run('code-mcp', 'find', 'zebra').status).toBe(1)
  expect(run('code-mcp', 'files', 'zebra').status).toBe(1)
  expect(run('code-mcp', 'references', 'zebra').status).toBe(1)
  expect(run('code-mcp', 'find', 'sum').status).toBe(0)
})

test('doctor of code-mcp names a folder without files, and ends with 1', () => {
  const empty = mkdtempSync(join(folder, 'empty-'))
  expect(run('code-mcp', 'doctor', empty)).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('0 files; pass the folder of your source'),
  })
  expect(run('code-mcp', 'doctor', join(folder, 'nowhere'))).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('There is no folder'),
  })
})
