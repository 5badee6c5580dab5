import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exposedName, exposeNames, mayBeOf } from '../../../src/catalog/policy/exposed-names.ts'

const safe = /^[a-zA-Z][a-zA-Z0-9_-]{0,45}$/

test('a name begins with that of its server', () => {
  const nameOf = exposeNames([{ server: 'files', name: 'read' }], { withServer: true })
  expect(nameOf({ server: 'files', name: 'read' })).toBe('files__read')
})

test('dots, blanks and other scripts are replaced, long names end with a hash', () => {
  const all = [
    { server: 'a.b', name: 'read file' },
    { server: '1', name: 'x' },
    { server: 'a', name: 'x'.repeat(100) },
  ]
  const nameOf = exposeNames(all, { withServer: true })
  expect(all.map((owned) => nameOf(owned))).toEqual([
    'a_b__read_file',
    't_1__x',
    expect.stringMatching(/^a__x{36}_[0-9a-f]{6}$/),
  ])
})

test.each([
  ['executeautomation-playwright-mcp-server', 'browser_click'],
  ['modelcontextprotocol-server-filesystem', 'read_multiple_files'],
  ['modelcontextprotocol-server-filesystem', 'x'.repeat(33)],
])('a long name of %s keeps %s whole', (server, name) => {
  const exposed = exposedName({ server, name }, true)
  expect(exposed).toMatch(new RegExp(`^[a-z-]{4,}__${name}_[0-9a-f]{6}$`))
  expect(exposed).toHaveLength(46)
  expect(server.startsWith(exposed.slice(0, exposed.indexOf('__')))).toBe(true)
  expect(exposed).not.toBe(exposedName({ server: `${server}2`, name }, true))
})

test('of names that would be one, the one that is so keeps it, in whatever order', () => {
  const one = { server: 'a', name: 'x_y' }
  const other = { server: 'a', name: 'x.y' }
  for (const all of [
    [one, other],
    [other, one],
  ]) {
    const nameOf = exposeNames(all, { withServer: true })
    expect(nameOf(one)).toBe('a__x_y')
    expect(nameOf(other)).toMatch(/^a__x_y_[0-9a-f]{6}$/)
  }
})

test('without servers names stay as they are where they can', () => {
  const nameOf = exposeNames([{ server: 'a', name: 'echo' }], { withServer: false })
  expect(nameOf({ server: 'a', name: 'echo' })).toBe('echo')
})

const owned = fc.record({
  server: fc.constantFrom('a', 'b', 'a_b', 'a.b'),
  name: fc.oneof(fc.string({ minLength: 1, maxLength: 80 }), fc.constantFrom('x', 'x.y', 'x_y')),
})

test('every name is safe, and belongs to one', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(owned, { selector: ({ server, name }) => `${server}\0${name}` }),
      fc.boolean(),
      (all, withServer) => {
        const nameOf = exposeNames(all, { withServer })
        const exposed = all.map((one) => nameOf(one))
        expect(new Set(exposed).size).toBe(all.length)
        if (withServer) for (const name of exposed) expect(name).toMatch(safe)
      },
    ),
  )
})

test.each([1, 20, 36, 37, 38, 40, 43, 44, 45, 60])(
  'a server with a name of %i signs is known by its tools, whatever they are called',
  (length) => {
    for (const begin of ['a', '9'])
      for (const tool of ['x', 'search_things', 'y'.repeat(60)]) {
        const server = begin.repeat(length)
        expect(mayBeOf(server, exposedName({ server, name: tool }, true))).toBe(true)
      }
    expect(mayBeOf('other', exposedName({ server: 'a'.repeat(length), name: 'x' }, true))).toBe(
      false,
    )
  },
)
