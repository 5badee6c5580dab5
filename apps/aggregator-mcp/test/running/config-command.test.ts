import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { configure, odd } from './aggregator-process.ts'

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

test('values are shown, set, removed and undone on the command line', () => {
  const { args, config } = configure({ a: { ...odd(), env: { KEY: 'not-to-be-seen-1' } } })
  const run = (...words: string[]): string =>
    execFileSync(process.execPath, [main, 'config', ...words, ...args.slice(1)], {
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  const failing = (...words: string[]): string => {
    try {
      return run(...words)
    } catch (error) {
      return (error as { stderr: string }).stderr
    }
  }
  const text = readFileSync(config, 'utf8')
  expect(run()).not.toContain('not-to-be-seen-1')
  // A number in a variable is a text.
  run('set', 'mcpServers.a.env.PORT', '8080')
  run('set', '["mcpServers","a","tags"]', '["x"]')
  expect(JSON.parse(readFileSync(config, 'utf8'))).toMatchObject({
    mcpServers: { a: { env: { KEY: 'not-to-be-seen-1', PORT: '8080' }, tags: ['x'] } },
  })
  expect(run('show', 'mcpServers.a.tags')).toContain('"x"')
  run('unset', 'mcpServers.a.tags')
  expect(run('undo')).toContain('Undone in')
  run('unset', 'mcpServers.a.tags')
  run('unset', 'mcpServers.a.env.PORT')
  expect(JSON.parse(readFileSync(config, 'utf8'))).toEqual(JSON.parse(text))
  expect(failing('set', 'mcpServers.a.idleMinute', '1')).toContain('is idleMinutes')
  expect(failing('set', 'mcpServers.a.tags')).toContain('Enter a value, or --secret.')
  expect(failing('set', 'mcpServers.a.tags', '[]', 'x')).toContain('Unexpected argument x')
  expect(failing('change')).toContain('must be one of show, set, unset, history, undo')
})

test('changes of all commands are undone in order, byte for byte', () => {
  const { args, config } = configure({ a: odd() })
  const run = (...words: string[]): string =>
    execFileSync(process.execPath, [main, ...words, ...args.slice(1)], { encoding: 'utf8' })
  const texts = [readFileSync(config, 'utf8')]
  const commands = [
    ['add', 'b', '--no-review', '--', 'node', 'b.js'],
    ['config', 'set', 'mcpServers.b.tags', '["x"]'],
    ['config', 'set', 'aggregator.limits.sessionTokens', '5000'],
    ['remove', 'b'],
    ['add', 'c', 'https://c.example/mcp', '--no-review'],
    ['config', 'unset', 'aggregator.limits'],
  ]
  for (const [at, words] of commands.entries()) {
    const end = words.indexOf('--')
    const own = end < 0 ? words : words.slice(0, end)
    const rest = end < 0 ? [] : words.slice(end)
    execFileSync(process.execPath, [main, ...own, ...args.slice(1), ...rest], { stdio: 'ignore' })
    texts.push(readFileSync(config, 'utf8'))
    expect(texts[at + 1]).not.toBe(texts[at])
  }
  const history = run('config', 'history')
  expect(history.match(/ user:\d+ cli: /g)).toHaveLength(commands.length)
  expect(history).toContain('cli: remove b')
  for (const text of texts.toReversed().slice(1)) {
    expect(run('config', 'undo')).toContain('Undone in')
    expect(readFileSync(config, 'utf8')).toBe(text)
  }
})

test('the tools that a profile cannot call are listed with the reason', () => {
  const profiles = { readers: { servers: ['a'], deny: ['a.echo'] } }
  const { args } = configure({ a: odd(), b: odd() }, { profiles })
  const run = (...words: string[]): string =>
    execFileSync(process.execPath, [main, 'tools', '--missing', ...words, ...args.slice(1)], {
      encoding: 'utf8',
    })
  const lines = run('--profile', 'readers').trim().split('\n')
  expect(lines).toContain(
    'a.echo: aggregator.profiles.readers.deny: it matches a pattern of this list',
  )
  expect(lines).toContain(
    'b.echo: aggregator.profiles.readers.servers: its server matches no pattern of this list',
  )
  expect(lines).not.toContain(expect.stringContaining('a.hash'))
  expect(run()).toBe('')
})
