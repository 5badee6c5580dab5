import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../../servers/src/config/read-config.ts'
import { configOf, type FakeServer } from '../../fake-servers.ts'
import { openAggregator } from '../../open-aggregator.ts'

const page = readFileSync(new URL('../../../../../docs/permissions.md', import.meta.url), 'utf8')

const jsonIn = (text: string): string[] =>
  [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => json)

/** The rows of a table, without its head, by the titles of the columns. */
function rowsOf(text: string): Record<string, string>[] {
  const cells = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').slice(1, -1))
    .map((row) => row.map((cell) => cell.trim().replaceAll('`', '')))
  const [titles = [], , ...rows] = cells
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [titles[at], cell])))
}

const [, section = ''] = /## Five examples\n([\s\S]*?)\n## /.exec(page) ?? []
const examples = section.split('\n### ').slice(1)

const toolsOf = (names: readonly string[]): FakeServer => ({
  tools: names.map((name) => ({
    name,
    ...(/^(?:list|read)_/.test(name) && {
      definition: { annotations: { readOnlyHint: true } },
    }),
  })),
})

/** What the aggregator says of the calls of an example. */
async function outcomesOf(example: string) {
  const permissions = JSON.parse(jsonIn(example)[0] ?? '')
  const { settings } = await readConfig(
    JSON.stringify({ mcpServers: {}, aggregator: { permissions } }),
    {},
  )
  const calls = rowsOf(example).map(({ call = '', caller, happens }) => {
    const [, module = '', tool = '', params = ''] = /^(\w+)\.(\w+) (\{.*\})$/.exec(call) ?? []
    return { call, module, tool, params: JSON.parse(params), caller, happens }
  })
  const names = [...new Set(calls.map(({ module }) => module))]
  const toolNames = (name: string) =>
    calls.filter(({ module }) => module === name).map(({ tool }) => tool)
  const { aggregator } = openAggregator(
    Object.fromEntries(names.map((name) => [name, toolsOf([...new Set(toolNames(name))])])),
    { servers: names.map((name) => configOf(name)), permissions: settings.permissions },
  )
  onTestFinished(aggregator.close)
  const outcomes = calls.map(async ({ call, caller, happens, ...requested }) => {
    const { decision } = await aggregator.explain(requested, { caller, isGuest: true })
    const effect = `${decision.effect}${decision.needsAnother ? ' another' : ''}`
    return { call, happens, effect }
  })
  return Promise.all(outcomes)
}

test('the page has five examples', () => expect(examples).toHaveLength(5))

test.each(examples.map((example) => [example.split('\n', 1)[0], example] as const))(
  '%s: each call happens as the table says',
  async (_, example) => {
    const outcomes = await outcomesOf(example)
    expect(outcomes.length).toBeGreaterThan(1)
    for (const { call, happens, effect } of outcomes)
      expect([call, effect]).toEqual([call, happens])
  },
)

test('the configurations of the page are valid', async () => {
  const whole = jsonIn(page).filter((json) => /"(?:aggregator|mcpServers)"/.test(json))
  expect(whole).toHaveLength(1)
  for (const json of whole)
    await readConfig(JSON.stringify({ mcpServers: {}, ...JSON.parse(json) }), {})
})

const [, spellings = ''] = /### Spellings\n([\s\S]*?)\n## /.exec(page) ?? []

test.each(rowsOf(spellings))('$condition is met by $value as the manual says', async (row) => {
  const { condition = '', value = '', denied, allowed } = row
  const a = /^(?:".*"|null)$/.test(value) ? JSON.parse(value) : value
  const rule = { tools: ['files.any'], params: { a: JSON.parse(condition) } }
  const effectOf = async (permissions: object): Promise<string> => {
    const config = JSON.stringify({ mcpServers: {}, aggregator: { permissions } })
    const { settings } = await readConfig(config, {})
    const { aggregator } = openAggregator(
      { files: toolsOf(['any']) },
      { servers: [configOf('files')], permissions: settings.permissions },
    )
    onTestFinished(aggregator.close)
    const requested = { module: 'files', tool: 'any', params: { a } }
    return (await aggregator.explain(requested, { isGuest: true })).decision.effect
  }
  const said = (isSo: boolean): string => (isSo ? 'yes' : 'no')
  expect(said((await effectOf({ deny: [rule] })) === 'deny')).toBe(denied)
  expect(said((await effectOf({ allow: [rule], default: 'deny' })) === 'allow')).toBe(allowed)
})
