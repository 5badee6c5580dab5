import fc from 'fast-check'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { editJsonc } from '../../src/files/edit-jsonc.ts'
import { editToml } from '../../src/files/edit-toml.ts'
import { editYaml } from '../../src/files/edit-yaml.ts'

const entry = { command: 'npx', args: ['-y', 'x'] }
const runs = { numRuns: 800 }

/** What goes begins with x. */
const namesOf = fc.uniqueArray(fc.constantFrom('xa', 'xb', 'keep', 'keep two', 'x.c'), {
  maxLength: 5,
})
const dropped = (names: readonly string[]): Set<string> =>
  new Set(names.filter((name) => name.startsWith('x')))

const dressed = fc.record({
  isCrlf: fc.boolean(),
  hasMark: fc.boolean(),
  end: fc.constantFrom('', '\n', '\n# end', '\n# end\n'),
})
type Dress = { isCrlf: boolean; hasMark: boolean; end: string }
const dress = (text: string, { isCrlf, hasMark, end }: Dress, comment: string): string => {
  const whole = `${text}${end.replace('#', comment)}`
  return (hasMark ? '\uFEFF' : '') + (isCrlf ? whole.replaceAll('\n', '\r\n') : whole)
}

/** Lines that must be there afterwards, in the order they were. */
function staysInOrder(lines: readonly string[], text: string): boolean {
  let at = 0
  return lines.every((line) => {
    const found = text.indexOf(line, at)
    at = found + line.length
    return found >= 0
  })
}

const member = fc.record({
  lead: fc.constantFrom('', '', '    // lead {"x"\n', '\n', '    /* b, */\n'),
  value: fc.constantFrom(
    '{ "command": "c",   "args":["1",  "2"] }',
    '{\n      "command": "c" // inner\n    }',
    '{}',
  ),
  odd: fc.constantFrom('', '', '', ' /* odd */ '),
  tail: fc.constantFrom('', '', ' // tail', ' /* t */', ' /* , */'),
})

test('JSON with comments: what is said is right, and what stays stays byte for byte', () => {
  const file = fc
    .tuple(
      namesOf,
      fc.array(member, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      fc.boolean(),
      dressed,
    )
    .map(([names, members, isOnLines, hasTrailing, clothes]) => {
      const texts = names.map((name, index) => {
        const { lead = '', value = '{}', odd = '', tail = '' } = members[index] ?? {}
        const comma = index < names.length - 1 || (hasTrailing && isOnLines) ? `${odd},` : ''
        return isOnLines
          ? `\n${lead}    "${name}": ${value}${comma}${tail}`
          : ` "${name}": ${value.replace(' // inner', '')}${comma}`
      })
      const text = `{\n  // top\n  "a": [1, 2],\n  "mcpServers": {${texts.join('')}${isOnLines ? '\n  }' : ' }'},\n  "z": {"k":1}\n}`
      return { names, text: dress(text, clothes, '//') }
    })
  const plainOf = (text: string): unknown => {
    const errors: ParseError[] = []
    const value: unknown = parseJsonc(text.replace(/^\uFEFF/, ''), errors, {
      allowTrailingComma: true,
    })
    expect(errors).toEqual([])
    return value
  }
  fc.assert(
    fc.property(file, fc.boolean(), ({ names, text }, isAdded) => {
      const add = isAdded ? { pith: entry } : {}
      const drop = dropped(names)
      const edited = editJsonc(text, ['mcpServers'], { drop, add })
      const before = plainOf(text) as { mcpServers: object }
      const stay = Object.entries(before.mcpServers).filter(([name]) => !drop.has(name))
      expect(plainOf(edited)).toEqual({
        ...before,
        mcpServers: { ...Object.fromEntries(stay), ...add },
      })
      const kept = names.filter((name) => !drop.has(name))
      const parts = kept.map((name) => new RegExp(`"${name}": \\{[^}]*\\}`).exec(text)?.[0] ?? '?')
      expect(
        staysInOrder(
          ['// top', '"a": [1, 2]', '"mcpServers": {', ...parts, '"z": {"k":1}'],
          edited,
        ),
      ).toBe(true)
      if (text.includes('\r\n')) expect(edited).not.toMatch(/(?<!\r)\n/)
      expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
      // An edit that changes nothing changes nothing.
      expect(editJsonc(text, ['mcpServers'], { drop: new Set(), add: {} })).toBe(text)
    }),
    runs,
  )
})

const others = [
  '[tui]\ntheme  =  "dark"  # eyes\n',
  '[projects."/home/a/b"]\ntrust_level = "trusted"\n',
  "[[skills.config]]\npath = '/a'\nenabled = false   \n",
  '[profiles.fast]\nlist = [\n  1, # one\n  2,\n]\n',
  '[shell.env]\ntext = """\n[mcp_servers.xfake]\n# no comment\n"""\n',
]
const quoted = (name: string): string => (/^[\w-]+$/.test(name) ? name : JSON.stringify(name))
const table = fc.record({
  lead: fc.constantFrom('', '\n', '\n# lead\n', '\n# far\n\n'),
  tail: fc.constantFrom('', ' # tail'),
  args: fc.constantFrom('', 'args = ["-y"]\n', 'args = [\n  "-y", # yes\n  "a",\n]\n'),
  env: fc.constantFrom(
    '',
    'env = { K = "v", "L.M" = \'w\' }\n',
    'env.K = "v"\n',
    '# off = 1\nenabled = false\n',
  ),
  sub: fc.constantFrom('', '[tools.read]\nmode = "approve"\n', '\n[oauth]\nid = "i" # id\n'),
})

test('TOML: what is said is right, and the tables that stay keep their text', () => {
  const file = fc
    .tuple(
      namesOf,
      fc.array(table, { minLength: 5, maxLength: 5 }),
      fc.shuffledSubarray(others),
      fc.constantFrom('tables', 'tables', 'pairs', 'inline', 'dotted'),
      fc.infiniteStream(fc.nat(9)),
      dressed,
    )
    .map(([names, tables, rest, style, places, clothes]) => {
      const mine = names.map((name, index) => {
        const { lead = '', tail = '', args = '', env = '', sub = '' } = tables[index] ?? {}
        const key = quoted(name)
        return `${lead}[mcp_servers.${key}]${tail}\ncommand = "c"  # runner\n${args}${env}${sub.replace('[', `[mcp_servers.${key}.`)}`
      })
      const pairs = names.map(
        (name) => `${quoted(name)} = { command = "c", env = { A = "b" } } # c\n`,
      )
      const inline = names.map((name) => `${quoted(name)} = { command = "c" }`).join(' , ')
      const dotted = names.map((name) => `mcp_servers.${quoted(name)}.command = "c"\n`).join('')
      const head = {
        tables: '',
        pairs: '',
        inline: `mcp_servers = { ${inline} } # one line\n`,
        dotted,
      }[style]
      const parts = [...rest]
      for (const text of style === 'tables'
        ? mine
        : style === 'pairs'
          ? [`[mcp_servers]\n${pairs.join('')}`]
          : [])
        parts.splice((places.next().value ?? 0) % (parts.length + 1), 0, text)
      const text = `model = "m" # main\nhex = 0xDEAD\n${head}${parts.join('')}`
      return { names, rest, text: dress(text, clothes, '#') }
    })
  const plainOf = (text: string) => parseToml(text.replace(/^\uFEFF/, ''))
  fc.assert(
    fc.property(file, fc.boolean(), ({ names, rest, text }, isAdded) => {
      const add = isAdded ? { pith: entry } : {}
      const drop = dropped(names)
      const edited = editToml(text, 'mcp_servers', { drop, add })
      const { mcp_servers: room = {}, ...before } = plainOf(text)
      const { mcp_servers: newRoom = {}, ...after } = plainOf(edited)
      expect(after).toEqual(before)
      const stay = Object.entries(room).filter(([name]) => !drop.has(name))
      expect(newRoom).toEqual({ ...Object.fromEntries(stay), ...add })
      const eol = text.includes('\r\n') ? '\r\n' : '\n'
      for (const other of rest) expect(edited).toContain(other.trimEnd().replaceAll('\n', eol))
      if (eol === '\r\n') expect(edited).not.toMatch(/(?<!\r)\n/)
      expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
      expect(editToml(text, 'mcp_servers', { drop: new Set(), add: {} })).toBe(text)
    }),
    runs,
  )
})

const yamlMember = fc.record({
  lead: fc.constantFrom('', '', '  # lead x:\n', '\n'),
  tail: fc.constantFrom('', ' # tail'),
  value: fc.constantFrom(
    '\n    cmd: c\n    args:\n    - "-y" # yes\n    - a\n    # off: 1\n',
    '\n    cmd: "c"\n    text: |\n      extensions:\n        xa: no\n\n    envs: {K: v}\n',
    '\n    <<: *base\n    cmd: c\n\n',
  ),
  flow: fc.constantFrom(' {cmd: c,   args: [a,  "b"]}', ' {}', ' {cmd: c, base: *base}'),
})

test('YAML: what is said is right, and the lines that stay keep their text', () => {
  const file = fc
    .tuple(
      namesOf,
      fc.array(yamlMember, { minLength: 5, maxLength: 5 }),
      fc.constantFrom('block', 'block', 'mixed', 'flow'),
      fc.boolean(),
      fc.boolean(),
      dressed,
    )
    .map(([names, members, style, isQuoted, isLast, clothes]) => {
      const texts = names.map((name, index) => {
        const { lead = '', tail = '', value = '', flow = '' } = members[index] ?? {}
        const key = isQuoted ? JSON.stringify(name) : name
        if (style === 'flow') return ` ${key}:${flow}`
        return style === 'mixed' && index % 2 === 0
          ? `${lead}  ${key}:${flow}${tail}\n`
          : `${lead}  ${key}:${tail}${value}`
      })
      const room =
        style === 'flow' ? ` {${texts.join(',')} } # one line\n` : ` # all\n${texts.join('')}`
      const text = `# top\nbase: &base {a: [1,  2]}\nextensions:${room}${isLast ? '' : 'z:\n- k:   1 # one\n'}`
      return { names, isLast, text: dress(text, clothes, '#') }
    })
  const plainOf = (text: string) => parseYaml(text.replace(/^\uFEFF/, '')) as Record<string, object>
  fc.assert(
    fc.property(file, fc.boolean(), ({ names, isLast, text }, isAdded) => {
      const add = isAdded ? { pith: entry } : {}
      const drop = dropped(names)
      const edited = editYaml(text, 'extensions', { drop, add })
      const { extensions, ...before } = plainOf(text)
      const { extensions: after, ...others } = plainOf(edited)
      expect(others).toEqual(before)
      const stay = Object.entries(extensions ?? {}).filter(([name]) => !drop.has(name))
      expect(after ?? {}).toEqual({ ...Object.fromEntries(stay), ...add })
      const lines = ['# top', 'base: &base {a: [1,  2]}', 'extensions:', ...(isLast ? [] : ['z:'])]
      expect(staysInOrder(lines, edited)).toBe(true)
      if (text.includes('\r\n')) expect(edited).not.toMatch(/(?<!\r)\n/)
      expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
      if (drop.size === 0) {
        // What is added stands in one place.
        const back = editYaml(edited, 'extensions', { drop: new Set(['pith']), add: {} })
        const { extensions: again, ...rest } = plainOf(back)
        expect(rest).toEqual(before)
        expect(again ?? {}).toEqual(extensions ?? {})
      }
      expect(editYaml(text, 'extensions', { drop: new Set(), add: {} })).toBe(text)
    }),
    runs,
  )
})

const none = new Set<string>()

test.for([
  ['', 'extensions:\n  pith:\n    command: "npx"\n    args:\n      - "-y"\n      - "x"\n'],
  [
    '# mine\r\n',
    '# mine\r\nextensions:\r\n  pith:\r\n    command: "npx"\r\n    args:\r\n      - "-y"\r\n      - "x"\r\n',
  ],
  [
    'extensions:',
    'extensions:\n  pith:\n    command: "npx"\n    args:\n      - "-y"\n      - "x"\n',
  ],
  ['{a: 1}\n', '{ "extensions": {"pith":{"command":"npx","args":["-y","x"]}},a: 1}\n'],
  [
    'a: 1 # one\n"extensions": {}\n',
    'a: 1 # one\n"extensions": { "pith": {"command":"npx","args":["-y","x"]} }\n',
  ],
  [
    'extensions:\n    a: {}\n',
    'extensions:\n    pith:\n      command: "npx"\n      args:\n        - "-y"\n        - "x"\n    a: {}\n',
  ],
] as const)('YAML %j becomes %j', ([before, after]) => {
  expect(editYaml(before, 'extensions', { drop: none, add: { pith: entry } })).toBe(after)
})

test.for([
  ['a: &x {b: 1}\nextensions: *x\n', 'its YAML has a form that is not edited here'],
  ['extensions: ~\n', 'its YAML has a form that is not edited here'],
  ['? extensions\n: a: {}\n', 'its YAML has a form that is not edited here'],
  ['a: 1\n...\n', 'its YAML has a form that is not edited here'],
  ['a: 1\n---\nb: 1\n', 'it has several documents'],
  ['a: 1\na: 2\n', 'it is not valid YAML: see line 2'],
  ['- a\n', 'it is not a YAML map'],
  ['extensions: 1\n', 'extensions is not a map'],
] as const)('YAML %j is refused: %s', ([text, message]) => {
  expect(() => editYaml(text, 'extensions', { drop: none, add: { pith: entry } })).toThrow(message)
})

test('a file that cannot be edited rightly is refused', () => {
  const none = { drop: new Set<string>(), add: {} }
  expect(() => editJsonc('{"a":{"b":1,"b":2}}', ['a'], none)).toThrow('a.b is defined twice')
  expect(() => editJsonc('{"a":[]}', ['a'], none)).toThrow('a is not an object')
  expect(() => editJsonc('{}', ['a'], none)).toThrow('there is no a')
  expect(() => editToml('mcp_servers = 1', 'mcp_servers', none)).toThrow(
    'mcp_servers is not a table',
  )
  expect(() => editToml('[a.__proto__]\n', 'a', none)).toThrow('it has a key __proto__')
  expect(() => editToml('[a]\n[a]\n', 'a', none)).toThrow('it is not valid TOML: see line 2')
})
