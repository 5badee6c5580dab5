import { describe, expect, test } from 'vitest'
import { parseConfig } from '../src/config.ts'

const home = { HOME: '/home/x', XDG_STATE_HOME: '/state', XDG_CONFIG_HOME: '/config' }

test('without flags it serves the servers of its user over stdio by meta-tools', () => {
  expect(parseConfig([], home)).toMatchObject({
    helpRequested: false,
    versionRequested: false,
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
  [['--help'], 'helpRequested'],
  [['-v'], 'versionRequested'],
] as const)('%j', (argv, requested) => {
  expect(parseConfig(argv, home)[requested]).toBe(true)
})

describe('what is wrong is named', () => {
  test.each([
    [['--mode', 'mini'], '--mode must be one of meta, list, full, got "mini".'],
    [['--mode', 'auto'], '--mode must be one of meta, list, full, got "auto".'],
    [['--max-result-characters', '5'], '--max-result-characters must be at least 2500, got "5".'],
    [['--log-format', 'xml'], '--log-format must be one of text, json, got "xml".'],
    [['--log-level', 'all'], '--log-level must be one of debug, info, warn, error, got "all".'],
    [['--nothing'], "Unknown option '--nothing'"],
    [['serve'], 'serve'],
  ])('%j', (argv, message) => {
    expect(() => parseConfig(argv, home)).toThrow(message)
  })

  test('but not the token', () => {
    expect(() => parseConfig([], { ...home, AGGREGATOR_MCP_TOKEN: 'hunter2' })).toThrow(
      /^AGGREGATOR_MCP_TOKEN must have at least 8 characters\.$/,
    )
  })

  test.each(['TOKEN', 'MODE', 'PROFILE', 'LOG_FORMAT', 'LOG_LEVEL'])(
    '%s, if it is empty',
    (name) => {
      const variable = `AGGREGATOR_MCP_${name}`
      expect(() => parseConfig([], { ...home, [variable]: '' })).toThrow(`${variable} must `)
    },
  )

  test('only variables that the help names are read', () => {
    const environment = { ...home, AGGREGATOR_MCP_HTTP: '80', AGGREGATOR_MCP_STATE: 'off' }
    expect(parseConfig([], environment)).toEqual(parseConfig([], home))
  })
})
