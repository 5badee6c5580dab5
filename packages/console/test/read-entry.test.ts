import { expect, test } from 'vitest'
import { type EntryDraft, readEntry } from '../web/servers/read-entry.ts'

const draft = (change: Partial<EntryDraft>): EntryDraft => ({
  type: 'command',
  name: 'a',
  command: '',
  env: '',
  url: '',
  headers: '',
  json: '',
  ...change,
})

test.each([
  ['npx -y pkg', { command: 'npx', args: ['-y', 'pkg'] }],
  [
    '"C:\\Program Files\\x.exe" --a="b c" \'d "e"\'',
    { command: 'C:\\Program Files\\x.exe', args: ['--a=b c', 'd "e"'] },
  ],
  ['uvx', { command: 'uvx' }],
  ['sh -c ""', { command: 'sh', args: ['-c', ''] }],
])('the command %s is taken apart', (command, entry) => {
  expect(readEntry(draft({ command }))).toEqual([{ name: 'a', entry }])
})

test('variables and headers are lines', () => {
  expect(readEntry(draft({ command: 'x', env: 'A=1=2\n\n B = c ' }))[0]?.entry).toEqual({
    command: 'x',
    env: { A: '1=2', B: 'c' },
  })
  expect(
    readEntry(draft({ type: 'url', url: 'https://a.example/mcp', headers: 'X-Key: ${K}' }))[0]
      ?.entry,
  ).toEqual({ type: 'http', url: 'https://a.example/mcp', headers: { 'X-Key': '${K}' } })
})

test.each([
  ['{"mcpServers":{"x":{"command":"y"}}}', '', [{ name: 'x', entry: { command: 'y' } }]],
  [
    '{"x":{"url":"https://a"},"z":{"command":"y"}}',
    '',
    [
      { name: 'x', entry: { url: 'https://a' } },
      { name: 'z', entry: { command: 'y' } },
    ],
  ],
  ['{"command":"y"}', 'n', [{ name: 'n', entry: { command: 'y' } }]],
  ['{"servers":{"x":{"command":"y"}}}', 'n', [{ name: 'n', entry: { command: 'y' } }]],
])('the JSON %s is read as clients keep it', (json, name, entries) => {
  expect(readEntry(draft({ type: 'json', json, name }))).toEqual(entries)
})

test.each([
  [draft({ name: ' ', command: 'x' }), /name/],
  [draft({ command: ' ' }), /command/],
  [draft({ command: 'x', env: 'nothing' }), /NAME=value/],
  [draft({ type: 'url', url: 'javascript:alert(1)' }), /https:/],
  [draft({ type: 'json', json: '{' }), /not valid JSON \(line 1, column 2\)/],
  [draft({ type: 'json', json: '[]' }), /mcpServers/],
  [draft({ type: 'json', json: '{}' }), /no server/],
  [draft({ type: 'json', json: '{"command":"y"}', name: '' }), /no name/],
])('what is missing is said (%#)', (given, message) => {
  expect(() => readEntry(given)).toThrow(message)
})
