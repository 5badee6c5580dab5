import { describe, expect, test } from 'vitest'
import { parseCommands, refused } from '../../../src/tools/batch/parse-commands.ts'

const lines = (...commands: unknown[]) =>
  commands
    .map((command) => (typeof command === 'string' ? command : JSON.stringify(command)))
    .join('\n')

function parse(given: unknown, most: number) {
  const { commands, faults } = parseCommands(given, most)
  if (faults.length > 0) throw refused(faults)
  return commands
}

test('lines are read, blank ones count but do nothing, tool stands for tool_name', () => {
  const text = `\n${lines({ id: 'a', module: 'm', tool: 't' }, { tool_name: 'u', after: 'a', output: true })}\n`
  expect(parse(text, 50)).toEqual([
    {
      line: 2,
      id: 'a',
      module: 'm',
      tool: 't',
      params: undefined,
      after: [],
      output: false,
      again: false,
    },
    {
      line: 3,
      id: 'line3',
      module: undefined,
      tool: 'u',
      params: undefined,
      after: ['a'],
      output: true,
      again: false,
    },
  ])
})

test('a list of objects is as good', () => {
  expect(parse([{ tool: 't' }], 50)).toMatchObject([{ line: 1, id: 'line1', tool: 't' }])
})

test('who is referred to is waited for', () => {
  const text = lines({ id: 'a', tool: 't' }, { id: 'b', tool: 't', params: { x: ['${a.id}'] } })
  expect(parse(text, 50)[1]?.after).toEqual(['a'])
})

describe('all faults are told with their lines, before anything is called', () => {
  test.each([
    ['no JSON', lines({ tool: 't' }, '{"id": '), /line 2: not valid JSON/],
    ['a wrong key', lines({ tool: 't', outptu: true }), /line 1: .*outptu/],
    ['no tool', lines({ id: 'a' }), /line 1: must have one tool_name/],
    [
      'an id twice',
      lines({ id: 'a', tool: 't' }, { id: 'a', tool: 't' }),
      /line 2: id a is already used in line 1/,
    ],
    [
      'an unknown id',
      lines({ id: 'a', tool: 't', after: ['z'] }),
      /line 1: there is no id "z"; the ids are a/,
    ],
    [
      'an unknown reference',
      lines({ id: 'a', tool: 't', params: { x: '${z.y}' } }),
      /there is no id "z"/,
    ],
    [
      'a circle',
      lines({ id: 'a', tool: 't', after: ['b'] }, { id: 'b', tool: 't', params: { x: '${a}' } }),
      /wait for each other: a → b → a/,
    ],
    ['itself', lines({ id: 'a', tool: 't', after: ['a'] }), /wait for each other: a → a/],
    ['nothing', ' \n', /There are no commands/],
    [
      'too many',
      lines({ tool: 't' }, { tool: 't' }, { tool: 't' }),
      /There are 3 commands; at most 2/,
    ],
  ])('%s', (_name, text, fault) => {
    expect(() => parse(text, 2)).toThrow(fault)
  })

  test('several of one line, and no id that may be that of an unread line', () => {
    const text = lines({ id: 'a', tool: 1, outptu: true }, { tool: 't', after: ['a', 'line2'] })
    const { faults } = parseCommands(text, 50)
    expect(faults).toEqual([
      expect.stringMatching(/^line 1: tool .*; .*outptu/),
      'The commands wait for each other: line2 → line2',
    ])
  })

  test('several at once', () => {
    expect(() => parse(lines('x', { id: 'a' }, 'y'), 50)).toThrow(
      /line 1[\s\S]*line 2[\s\S]*line 3/,
    )
  })
})

describe('what looks like a reference and is none', () => {
  test.each(['${a.results[-1]}', "${a['id']}", '${ a.id }', '${a.x[*]}', 'echo ${HOME:-x}'])(
    '%s is a fault that says how to write one',
    (odd) => {
      const text = lines({ id: 'a', tool: 't' }, { id: 'b', tool: 't', params: { x: odd } })
      expect(() => parse(text, 50)).toThrow(
        /line 2: .* is not a reference; write \$\{id\.field\[0\]\}/,
      )
    },
  )
})

test('params given as text are read before anything is put into them', () => {
  const text = lines({ id: 'a', tool: 't' }, { id: 'b', tool: 't', params: '{"x": "${a.id}"}' })
  expect(parse(text, 50)[1]?.params).toEqual({ x: '${a.id}' })
})

test('a list in JSON is as good as lines', () => {
  expect(parse('[{"tool": "t"}, {"tool": "u"}]', 50)).toHaveLength(2)
})
