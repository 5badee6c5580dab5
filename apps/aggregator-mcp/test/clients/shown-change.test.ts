import { expect, test } from 'vitest'
import { shownChange } from '../../src/clients/shown-change.ts'

const own = '"pith": { "command": "npx" }'

test('only our lines are whole, and of others the keys', () => {
  const before = `{
  "mcpServers": {
    "a": {
      "env": { "KEY": "hunter2" }, "x": "hunter3"
    }
  },
  "token": "hunter4"
}
`
  const after = before.replace('    }\n  },', `    },\n    ${own}\n  },`)
  expect(shownChange(before, after)).toEqual([
    '      "env": …'.replace(/^/, '  '),
    '+     },',
    `+     ${own}`,
    '    },',
  ])
})

test('an entry before another one begins with its own line', () => {
  const before = '{\n  "s": {\n    "pith": { "x": "hunter2" }\n  }\n}\n'
  const after = before.replace('    "pith"', '    "own": { "a": 1 },\n    "pith"')
  expect(shownChange(before, after)).toEqual([
    '  "s": {'.replace(/^/, '  '),
    '+     "own": { "a": 1 },',
    '      "pith": …',
  ])
})

test('a file of one line is shown by our part', () => {
  const before = '{"token":"hunter2","mcpServers":{"a":{"args":["--key=hunter3"]}},"z":"hunter4"}'
  const after = before.replace('}},"z"', `},${own}},"z"`)
  const text = shownChange(before, after).join('\n')
  expect(text).toContain(own)
  expect(text).not.toContain('hunter')
})

test('of TOML, tables and keys are shown', () => {
  const before = 'model = "hunter2"\r\n[mcp_servers.a]\r\nkey = "hunter3"\r\n'
  const after = `${before}\r\n[mcp_servers.pith]\r\ncommand = "npx"\r\n`
  expect(shownChange(before, after)).toEqual([
    '  key = …',
    '+ ',
    '+ [mcp_servers.pith]',
    '+ command = "npx"',
  ])
})

test('a line of a key that is no setting is not shown', () => {
  const secret = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC=='
  const before = `pem = """\n${secret}\n${secret}"""\n`
  expect(shownChange(before, `${before}[mcp_servers.pith]\n`).join()).not.toContain('MII')
})

test('of a new file, all is ours', () => {
  expect(shownChange('', '{\n  "a": 1\n}\n')).toEqual(['+ {', '+   "a": 1', '+ }'])
})
