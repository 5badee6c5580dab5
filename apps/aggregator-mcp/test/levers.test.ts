import { afterAll, expect, test } from 'vitest'
import { configOf, type FakeServer, text } from '../../../packages/aggregator/test/fake-servers.ts'
import { openAggregator } from '../../../packages/aggregator/test/open-aggregator.ts'
import { unproved } from '../../../test/lever-phrases.ts'
import { usage } from '../src/cli/usage.ts'
import { settings } from '../src/settings.ts'

const long = Array.from({ length: 3_000 }, (_, at) => `line ${at} of a report`).join('\n')
const items = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `n${id}` }))
const many = Array.from({ length: 60 }, (_, at) => ({
  name: `tool_${at}`,
  definition: {
    description: `Tool ${at}`,
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'A long description of a parameter. '.repeat(30) },
      },
    },
  },
  run: () => text('done'),
}))

const fakes: Record<string, FakeServer> = {
  reports: {
    tools: [
      { name: 'report', run: () => text(long) },
      { name: 'list', run: () => text(JSON.stringify(items)) },
    ],
  },
  many: { tools: many },
}
const { aggregator, use } = openAggregator(fakes, {
  servers: Object.keys(fakes).map((name) => configOf(name)),
  mode: 'meta',
})
afterAll(() => aggregator.close())

type Call = [tool: string, args: Record<string, unknown>]

/** The call of read_more in a line, as the replies write it. */
const moreIn = (line: string): Record<string, unknown> =>
  JSON.parse(/read_more\((\{.*?\})\)/.exec(line)?.[1] ?? '{}')

interface Lever {
  /** The text in the source. */
  source: string
  /** Of the result that `report` or `list` left in parts; or the call itself. */
  call: Call | ((result: string) => Call)
  says: RegExp
  follow: (line: string, result: string) => Call
  /** In the reply that follows. */
  gets: RegExp
}

const read =
  (more: Record<string, unknown>) =>
  (result: string): Call => ['read_more', { result, ...more }]
const report: Call = ['call', { module: 'reports', tool_name: 'report', params: {} }]
const list: Call = ['call', { module: 'reports', tool_name: 'list', params: {} }]

// biome-ignore format: a table has one line for each row.
const levers: readonly Lever[] = [
  { source: 'string => `read_more(', call: report, says: /\[more: read_more.*; query finds text\]/, follow: (line) => ['read_more', moreIn(line)], gets: /^\[characters [1-9]\d+–/ },
  { source: 'string => `read_more(', call: report, says: /; query finds text\]/, follow: (_line, result) => read({ query: 'line 2999' })(result), gets: /\[1 match\]\n[\s\S]*line 2999 of/ },
  { source: 'string => `read_more(', call: list, says: /fields: read_more.*"select".*; query/, follow: (line) => ['read_more', moreIn(line)], gets: /"n5"/ },
  { source: 'string => `read_more(', call: list, says: /as it was: read_more.*/, follow: (line) => ['read_more', moreIn(line)], gets: /\[\{"id":0,"name":"n0"\}/ },
  { source: 'string => `read_more(', call: ['call', { module: 'reports', tool_name: 'list', select: '$[7].name' }], says: /the whole has .*: read_more.*/, follow: (line) => ['read_more', moreIn(line)], gets: /"n7"/ },
  { source: 'Pass tools to get their schemas', call: ['get_module_schema', { module: 'many' }], says: /Pass tools to get their schemas/, follow: () => ['get_module_schema', { module: 'many', tools: ['tool_7'] }], gets: /A long description/ },
  { source: 'Pass the page named in the last reply', call: read({ page: 'x' }), says: /or no page for the first one/, follow: (_line, result) => read({})(result), gets: /^\[characters 0–/ },
  { source: 'Try another word', call: read({ query: 'zebra' }), says: /Try another word, or read the result page by page/, follow: (_line, result) => read({ query: 'report' })(result), gets: /3000 matches/ },
  { source: 'Pass module and tool_name', call: ['call', { module: 'reports', tool_name: 'nothing', params: {} }], says: /report/, follow: () => report, gets: /^\[characters 0–/ },
  { source: 'names prefixed with their server', call: ['get_module_schema', { tools: ['zebra'] }], says: /names prefixed with their server/, follow: () => ['get_module_schema', { tools: ['many.tool_7'] }], gets: /tool_7/ },
]

test.each(levers)('$says gets $gets', async ({ call, says, follow, gets }) => {
  const result = String(moreIn(await use(...report))['result'])
  const before = await use(...(typeof call === 'function' ? call(result) : call))
  expect(before).toMatch(says)
  const own = moreIn(before)['result'] ?? result
  expect(await use(...follow(says.exec(before)?.[0] ?? '', String(own)))).toMatch(gets)
})

test('a flag that switches something off says what it does', () => {
  expect(settings.lines.filter(({ preset }) => preset === true)).not.toEqual([])
  expect(usage).toMatch(/--no-prefix +do not put the name of their server/)
})

/** Texts that other tests follow, or that need what a test cannot have. */
const elsewhere = [
  // Parts that are no text, and a budget of a few characters: results.test.ts.
  // A server that is ill, slow or gone, a limit, a sign-in: tests of upstream, limits and stages.
  'try again',
  'Try again',
  'raise maxInstances',
  'raise timeoutSeconds',
  'Raise startTimeoutSeconds',
  'or repeat _meta',
  'add "oauth"',
  'to sandbox.files',
  // Its `requested` is in the rows.
  '`Pass ${requested}.`',
  // JSONPath: results.test.ts and select.test.ts.
  'Use a path that selects less',
  'Use several shorter paths',
  'Use a path such as',
  // Commands and the API: running, api and config tests.
  'Try aggregator-mcp --help',
  'Add one with: aggregator-mcp add',
  'raise --limit',
  'or add NAME',
  'add --account',
  'add the aggregator to a client',
  'Use --all',
  'or use --all',
  'use --all or --read-only',
  'Use aggregator-mcp add, remove or config set',
  '"+ " added',
  'Use a later time',
  'Pass it as before',
  'Pass it back',
  'Add a server to the configuration',
  'add ${name}',
  'Add the aggregator',
  'or use a token that has the scope',
  'Use the key of the other replicas',
  // The registry: its tests.
  'Try one word, or fewer letters',
  'use --deprecated',
  'Add a word to narrow the search',
  'Add a server of the registry',
  'Add it with a command of your own',
  // The tool that is named does it: call-read-only.test.ts.
  'Use call.',
  // The next call does what the answer says: effects.test.ts.
  'add "again": true next to',
  // Accounts and clients without users: accounts-with-tools.test.ts, client-credentials.test.ts.
  'pass "account"',
  'Add "clientId", and',
  // The skill of a client.
  'Use the tools of many services',
  'Use many tools',
]

test('every text that tells what to do has a row', () => {
  const libraries =
    'aggregator/src import/src journal/src oauth/src registry/src replicas/src sandbox/src servers/src console/server'
      .split(' ')
      .map((name) => `../../../packages/${name}/`)
  const folders = ['../src/', ...libraries].map((path) => new URL(path, import.meta.url).pathname)
  const texts = [...levers.map(({ source }) => source), ...elsewhere]
  expect(unproved(folders, texts)).toEqual({ lines: [], texts: [] })
})
