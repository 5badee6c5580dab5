import fc from 'fast-check'
import { type ParseError, parse as parseJsonc } from 'jsonc-parser'
import { parse as parseToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { editJsonc } from '../../src/files/edit-jsonc.ts'
import { editToml } from '../../src/files/edit-toml.ts'

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
