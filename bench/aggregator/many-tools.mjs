// An upstream with as many tools as are asked for, each with a schema as those of real services
// have; raw JSON-RPC over stdio, so that it costs nothing.
//   node many-tools.mjs [first tool, 0] [tools, 40]
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const string = (description) => ({ type: 'string', description })
const number = (description) => ({ type: 'number', description })
const things = [
  ['issue', 'the tracker', { title: string('One line that says what is wrong.') }],
  ['pull_request', 'the code host', { branch: string('The branch to be merged.') }],
  ['invoice', 'the ledger', { amount: number('In the smallest unit of the currency.') }],
  ['customer', 'the CRM', { email: { ...string('Where to reach them.'), format: 'email' } }],
  ['deployment', 'the cluster', { image: string('The image with its digest.') }],
  ['dashboard', 'the monitoring', { query: string('A PromQL expression.') }],
  ['calendar_event', 'the calendar', { start: { ...string('RFC 3339.'), format: 'date-time' } }],
  ['message', 'the chat', { text: string('Markdown of at most 4,000 characters.') }],
  ['page', 'the wiki', { body: string('The text of the page as Markdown.') }],
  ['dataset', 'the warehouse', { columns: { type: 'array', items: string('A name.') } }],
  ['feature_flag', 'the flag service', { share: number('Of the users, 0 to 100.') }],
  ['contract', 'the archive', { party: string('The other side, by its legal name.') }],
]
const page = {
  limit: { type: 'integer', minimum: 1, maximum: 100, default: 20, description: 'How many.' },
  cursor: string('Where the previous page ended; leave it out for the first.'),
}
const verbs = [
  [
    'list',
    'Lists',
    (own) => [{ state: { type: 'string', enum: ['open', 'closed', 'all'] }, ...page, ...own }, []],
  ],
  ['get', 'Gets', () => [{ id: string('As a listing gives it.') }, ['id']]],
  [
    'create',
    'Creates',
    (own) => [{ ...own, labels: { type: 'array', items: string('A label.') } }, Object.keys(own)],
  ],
  [
    'update',
    'Changes the given fields of',
    (own) => [{ id: string('As a listing gives it.'), ...own }, ['id']],
  ],
  [
    'delete',
    'Deletes for good',
    () => [
      { id: string('As a listing gives it.'), confirm: { type: 'boolean', default: false } },
      ['id'],
    ],
  ],
  [
    'search',
    'Searches by words, best first, each',
    () => [{ query: string('Words; quote a phrase.'), ...page }, ['query']],
  ],
  [
    'assign',
    'Assigns to a person',
    () => [
      { id: string('As a listing gives it.'), assignee: string('A user name.') },
      ['id', 'assignee'],
    ],
  ],
  [
    'comment_on',
    'Adds a comment to',
    () => [
      {
        id: string('As a listing gives it.'),
        body: string('Markdown.'),
        notify: { type: 'boolean', default: true },
      },
      ['id', 'body'],
    ],
  ],
  [
    'export',
    'Writes to a file',
    () => [
      {
        ids: { type: 'array', items: string('An id.') },
        format: { type: 'string', enum: ['csv', 'json', 'pdf'] },
      },
      ['ids', 'format'],
    ],
  ],
  [
    'get_history_of',
    'Lists who changed what and when in',
    () => [
      {
        id: string('As a listing gives it.'),
        since: { ...string('RFC 3339.'), format: 'date-time' },
        ...page,
      },
      ['id'],
    ],
  ],
]

export const tools = things.flatMap(([thing, place, own]) =>
  verbs.map(([verb, does, schema]) => {
    const [properties, required] = schema(own)
    const noun = thing.replace('_', ' ')
    return {
      name: `${verb}_${thing}`,
      title: `${verb.replaceAll('_', ' ')} ${noun}`,
      description: `${does} a ${noun} of ${place}. The answer is JSON; a ${noun} you may not see is reported as missing, and a rate limit as an error with the seconds to wait.`,
      inputSchema: { type: 'object', properties, required, additionalProperties: false },
    }
  }),
)

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [first = '0', count = '40'] = process.argv.slice(2)
  const own = tools.slice(Number(first), Number(first) + Number(count))
  const answers = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'many-tools', version: '0' },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: own }),
    'tools/call': ({ name }) => ({ content: [{ type: 'text', text: name }] }),
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, method, params } = JSON.parse(line)
    if (id === undefined) continue
    const result = answers[method]?.(params)
    const error = { code: -32601, message: `No method ${method}` }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }))
  }
}
