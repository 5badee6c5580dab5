import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSeal } from '../../../../packages/servers/src/secrets/seal.ts'
import {
  forgetEdit,
  keepEdits,
  linesOf,
  readHistory,
  withoutEdit,
} from '../../src/config-file/edit-history.ts'

/** A history, and a file that is only a text. */
function open(first: string) {
  const state = mkdtempSync(join(tmpdir(), 'pith-history-'))
  const seal = createSeal({ state, files: () => [], onLog() {} })
  const place = { settings: { state }, state: { seal } }
  let text = first
  return {
    state,
    place,
    get text() {
      return text
    },
    byHand(after: string) {
      text = after
    },
    change(after: string, what = 'config set') {
      keepEdits(place, [{ path: '/c.json', before: text, after }], {
        what,
        by: 'user:1',
        via: 'cli',
      })
      text = after
    },
    /** The change that is the `from`th last. */
    undo(from = 1) {
      const history = readHistory(place)
      const edit = history.edits.at(-from)
      if (edit === undefined) throw new Error('none')
      const undone = withoutEdit(edit, history, text)
      if ('text' in undone) {
        text = undone.text
        forgetEdit(place, edit, text)
      }
      return undone
    },
  }
}

const config = (servers: object, settings: object = {}, indent: number | string = 2): string =>
  `${JSON.stringify({ mcpServers: servers, aggregator: settings }, null, indent)}\n`
const a = { command: 'a', env: { TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' } }

test.each([2, '\t', 0])('changes are undone in order, byte for byte (indent %j)', (indent) => {
  const texts = [
    config({ a }, {}, indent),
    config({ a, b: { command: 'b' } }, {}, indent),
    config({ a, b: { command: 'b', args: ['--x'] } }, {}, indent),
    config({ a, b: { command: 'b', args: ['--x'] } }, { limits: { caller: 1 } }, indent),
    config({ a }, { limits: { caller: 1 } }, indent),
    config({ a, c: { url: 'https://c.example/mcp' } }, { limits: { caller: 2 } }, indent),
    config({ c: { url: 'https://c.example/mcp' }, a }, {}, indent).replaceAll('\n', '\r\n'),
  ]
  const file = open(texts[0] ?? '')
  for (const text of texts.slice(1)) file.change(text)
  for (const text of texts.toReversed().slice(1)) {
    expect(file.undo()).toHaveProperty('text')
    expect(file.text).toBe(text)
  }
  expect(readHistory(file.place).edits).toEqual([])
})

test('any changes of any files are undone in order', () => {
  const server = fc.record({ command: fc.string(), args: fc.array(fc.string(), { maxLength: 3 }) })
  const configs = fc.array(
    fc.tuple(fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), server), fc.constantFrom(0, 2)),
    { minLength: 2, maxLength: 6 },
  )
  fc.assert(
    fc.property(configs, (all) => {
      const texts = all.map(([servers, indent]) => config(servers, {}, indent))
      const file = open(texts[0] ?? '')
      for (const text of texts.slice(1)) file.change(text)
      const kept = readHistory(file.place).edits.length
      for (let at = kept; at > 0; at--) {
        const undone = file.undo()
        // What looks like a secret is not kept; all else is restored.
        if (!('text' in undone)) {
          expect(undone.reason).toContain('secret')
          return
        }
      }
      expect(file.text).toBe(texts[0])
    }),
    { numRuns: 30 },
  )
})

test('a change below others is undone alone, or names those in its way', () => {
  const servers = { a, b: { command: 'b' }, c: { command: 'c' }, d: { command: 'd' } }
  const file = open(config(servers, { one: 1 }))
  file.change(config({ ...servers, b: { command: 'b2' } }, { one: 1 }))
  file.change(config({ ...servers, b: { command: 'b2' } }, { one: 2 }))
  file.change(config({ ...servers, b: { command: 'b3' } }, { one: 2 }))
  expect(file.undo(3)).toMatchObject({
    reason: 'Later changes set the same values.',
    remedy: expect.stringContaining(readHistory(file.place).edits.at(-1)?.id ?? ''),
  })
  file.undo(2)
  expect(file.text).toBe(config({ ...servers, b: { command: 'b3' } }, { one: 1 }))
})

test('a change next to later ones is undone by its values', () => {
  const servers = { a: { command: 'a' } }
  const file = open(config(servers))
  file.change(config(servers, { permissions: { ask: [{ tools: ['a.x'] }] } }))
  file.change(
    config(servers, { permissions: { ask: [{ tools: ['a.x'] }], deny: [{ tools: ['a.y'] }] } }),
  )
  file.change(
    config(
      { ...servers, b: { command: 'b' } },
      { permissions: { ask: [{ tools: ['a.x'] }], deny: [{ tools: ['a.y'] }] } },
    ),
  )
  expect(file.undo(3)).toHaveProperty('text')
  expect(JSON.parse(file.text)).toEqual({
    mcpServers: { ...servers, b: { command: 'b' } },
    aggregator: { permissions: { deny: [{ tools: ['a.y'] }] } },
  })
})

test('a file that was edited by hand is not undone, and the lines are shown', () => {
  const file = open(config({ a }))
  file.change(config({ a, b: { command: 'b' } }))
  file.byHand(file.text.replace('"b"\n', '"b",\n      "cwd": "/srv"\n'))
  expect(file.undo()).toMatchObject({
    reason: expect.stringContaining('by hand'),
    diff: expect.arrayContaining(['+       "cwd": "/srv"']),
  })
})

test('no secret is kept: one that was removed is not restored, one that stays is', () => {
  const file = open(config({ a, b: { command: 'b' } }))
  file.change(config({ b: { command: 'b' } }), 'remove a')
  const [edit] = readHistory(file.place).edits
  expect(JSON.stringify(readHistory(file.place))).not.toContain('ghp_')
  expect(edit && linesOf(edit.patch).join('\n')).toContain('••••••')
  expect(file.undo()).toMatchObject({ reason: 'It removed a secret, which is not kept.' })
  const oneLine = open(config({ a }, {}, 0))
  oneLine.change(config({ a, b: { command: 'b' } }, {}, 0))
  expect(oneLine.undo()).toHaveProperty('text')
  expect(oneLine.text).toBe(config({ a }, {}, 0))
})

test('so many changes are kept, and the file is encrypted', () => {
  const file = open(config({ a }))
  for (let at = 0; at < 60; at++) file.change(config({ a }, { at }))
  const { edits } = readHistory(file.place)
  expect(edits).toHaveLength(50)
  expect(edits.at(-1)).toMatchObject({ what: 'config set', by: 'user:1', via: 'cli' })
  expect(readFileSync(join(file.state, 'edits.sealed'), 'utf8')).not.toContain('mcpServers')
})

test('lines that occur twice are put back where they were', () => {
  const server = (seconds: number) => ({
    ...{ command: 'node', args: ['x'], env: { LANG: 'C', MODE: 'x' }, timeoutSeconds: seconds },
    ...{ description: 'D', idleMinutes: 5, startTimeoutSeconds: 9, tags: ['t'] },
  })
  const file = open(config({ a: server(30), b: server(60) }))
  file.change(config({ a: server(60), b: server(60) }))
  file.change(config({ a: server(90), b: server(60) }))
  expect(file.undo(2)).toMatchObject({ reason: 'Later changes set the same values.' })
  expect(JSON.parse(file.text).mcpServers.b.timeoutSeconds).toBe(60)
})

test.each([
  [
    'in a comment',
    `{\n  // was: ghp_0123456789abcdefghijABCDEFGHIJ012345\n  "mcpServers": {}\n}\n`,
    'ghp_',
  ],
  ['that is short', config({ a: { command: 'a', env: { DB_PASSWORD: 'hunter' } } }), 'hunter'],
  ['in an argument', config({ a: { command: 'a', args: ['--password', 'pw1z'] } }), 'pw1z'],
])('a secret %s is not kept', (_where, text, secret) => {
  const file = open(text)
  file.change(text.replace('"mcpServers": {', '"aggregator": {},\n  "mcpServers": {'))
  expect(JSON.stringify(readHistory(file.place))).not.toContain(secret)
  expect(file.undo()).toHaveProperty('text')
  expect(file.text).toBe(text)
})

test('what stands for a secret does not tell whether a guess is right', () => {
  const marks = [0, 1].map(() => {
    const file = open(config({ a }))
    file.change(config({}))
    return /••••••\S{4}/.exec(JSON.stringify(readHistory(file.place)))?.[0]
  })
  expect(marks[0]).not.toBe(marks[1])
})

test('an empty file, and one that is long, end no history', () => {
  const file = open('')
  file.change(config({ a: { command: 'a' } }))
  file.change(config({ a: { command: 'x'.repeat(400_000) } }, {}, 0))
  expect(readHistory(file.place).edits).toHaveLength(1)
})

test('a change of nothing but the order of lines is undone, where it was', () => {
  const text =
    '{\n  "mcpServers": {\n    "a": { "command": "a" },\n    "b": { "command": "b" }\n  }\n}\n'
  const file = open(text)
  file.change(
    '{\n  "mcpServers": {\n    "b": { "command": "b" },\n    "a": { "command": "a" }\n  }\n}\n',
  )
  expect(file.undo()).toHaveProperty('text')
  expect(file.text).toBe(text)
})
