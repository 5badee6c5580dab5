import { describe, expect, test } from 'vitest'
import { parseConfig } from '../src/config.ts'

const home = { HOME: '/home/x', XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config' }

test('without flags it serves the servers of its user over stdio by meta-tools', () => {
  expect(parseConfig([], home)).toMatchObject({
    isHelpWanted: false,
    isVersionWanted: false,
    settings: {
      config: ['/config/pith/aggregator.json'],
      mode: 'meta',
      prefix: true,
      state: '/state/pith/aggregator-mcp',
      http: undefined,
    },
  })
})

test('flags come before the environment', () => {
  const environment = { ...home, AGGREGATOR_MCP_CONFIG: 'e.json', AGGREGATOR_MCP_MODE: 'list' }
  expect(parseConfig([], environment).settings).toMatchObject({ config: ['e.json'], mode: 'list' })
  expect(
    parseConfig(
      ['-c', 'a.json', '--config', 'b.json', '-m', 'full', '--no-prefix', '--no-state'],
      environment,
    ).settings,
  ).toMatchObject({ config: ['a.json', 'b.json'], mode: 'full', prefix: false, state: false })
})

test.each([
  [['--help'], 'isHelpWanted'],
  [['-v'], 'isVersionWanted'],
] as const)('%j', (argv, wanted) => {
  expect(parseConfig(argv, home)[wanted]).toBe(true)
})

describe('what is wrong is named', () => {
  test.each([
    [['--mode', 'mini'], '--mode mini: is none of meta, list, full, auto.'],
    [['--result-characters', '5'], '--result-characters 5: has to be at least 2500.'],
    [['--log-format', 'xml'], '--log-format xml: is none of text, json.'],
    [['--log-level', 'all'], '--log-level all: is none of debug, info, warn, error.'],
    [['--nothing'], "Unknown option '--nothing'"],
    [['serve'], 'serve'],
  ])('%j', (argv, message) => {
    expect(() => parseConfig(argv, home)).toThrow(message)
  })

  test('but not the token', () => {
    expect(() => parseConfig([], { ...home, AGGREGATOR_MCP_TOKEN: 'hunter2' })).toThrow(
      /^AGGREGATOR_MCP_TOKEN: has to have at least 8 characters\.$/,
    )
  })
})
