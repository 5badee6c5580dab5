/** The tools of each kind of server: a place, verbs and nouns. */
const kinds = {
  github: [
    'a GitHub repository',
    'crud',
    'issue pull_request branch release label milestone review workflow_run',
  ],
  linear: ['a Linear workspace', 'crud', 'ticket cycle project comment document team'],
  slack: ['the Slack workspace', 'crd', 'message channel thread reaction reminder user_group'],
  sentry: [
    'a Sentry organisation',
    'r',
    'error_event project_issue release_health trace replay alert_rule',
  ],
  stripe: [
    'the Stripe account',
    'crud',
    'customer invoice subscription payment_intent refund price coupon payout',
  ],
  grafana: [
    'the Grafana instance',
    'crud',
    'dashboard panel alert_rule datasource annotation contact_point silence',
  ],
  kubernetes: ['the cluster', 'rd', 'pod deployment service config_map node job ingress event'],
  postgres: ['the database', 'r', 'table schema index slow_query lock extension'],
  calendar: ['the calendar', 'crud', 'event attendee calendar free_slot'],
}

const verbs = {
  c: [
    'create',
    (noun) => ({
      ...owner,
      title: text(`Title of the ${noun}`),
      body: text('Markdown is allowed.'),
      labels: list,
    }),
    ['title'],
  ],
  r: [
    'list',
    () => ({
      ...owner,
      query: text('Filters in the search syntax of the service.'),
      state,
      page,
      per_page: page,
    }),
    [],
  ],
  u: [
    'update',
    (noun) => ({
      ...owner,
      id: text(`Identifier of the ${noun}`),
      title: text('The new title'),
      state,
      labels: list,
    }),
    ['id'],
  ],
  d: [
    'delete',
    (noun) => ({
      ...owner,
      id: text(`Identifier of the ${noun}`),
      confirm: { type: 'boolean', description: 'Has to be true.' },
    }),
    ['id', 'confirm'],
  ],
}

const text = (description) => ({ type: 'string', description })
const owner = {
  owner: text('The account that owns it, such as acme'),
  repo: text('Name without the owner'),
}
const state = {
  type: 'string',
  enum: ['open', 'closed', 'all'],
  default: 'open',
  description: 'Which states are wanted.',
}
const page = { type: 'integer', minimum: 1, maximum: 100, description: 'At most 100.' }
const list = {
  type: 'array',
  items: { type: 'string' },
  description: 'Names of labels, which have to exist.',
}

const createIssue = {
  name: 'create_issue',
  title: 'Create an issue',
  description:
    'Create an issue in a GitHub repository. Whoever watches the repository is told. Search for similar issues first, and link them in the body.',
  inputSchema: {
    type: 'object',
    properties: {
      owner: text('The account that owns the repository, such as acme'),
      repo: text('Name without the owner'),
      title: text('At most 256 characters'),
      body: text('Markdown is allowed.'),
      priority: {
        type: 'string',
        enum: ['low', 'normal', 'high', 'urgent'],
        default: 'normal',
        description: 'Becomes a label.',
      },
      estimate: { type: 'integer', minimum: 1, maximum: 13, description: 'In points.' },
      labels: list,
      draft: { type: 'boolean', description: 'Nobody is told of a draft.' },
    },
    required: ['owner', 'repo', 'title'],
  },
  annotations: { readOnlyHint: false, destructiveHint: false },
}

const nouns = 'id title state owner label'.split(' ')

/** Names and texts that try to be markup, paths or control characters. */
const odd = [
  [
    '<script>window.pwned=1</script>',
    '<img src=x onerror="window.pwned=1"> <b>bold</b> [link](javascript:window.pwned=1)',
  ],
  ['a_name_that_goes_on_'.repeat(9), 'A description without an end. '.repeat(40)],
  ['delete\u202eeteled\u200b_all', 'Looks harmless\u2066, is not\u2069.\u0007'],
  ['naïve/路径 %2F?#&', '絵文字 👩‍👩‍👧 и кириллица'],
  ['..//up\\and%0a%2fdown+%', 'A name that no path can hold.'],
  ['up\nand\u0000down', 'A name of several lines.'],
]

const oddTools = odd.map(([name, description]) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: { '<b>x</b>': { type: 'string', title: '<i>y</i>', description: '<u>z</u>' } },
  },
}))

/** `many-COUNT`: as many tools, which declare different things. */
const manyTools = (count) =>
  Array.from({ length: count }, (_, at) => ({
    name: `tool_${String(at).padStart(5, '0')}`,
    description: `Reads or writes record ${at} of the archive, and answers with its fields.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(nouns.map((noun) => [noun, text(`Of record ${at}.`)])),
    },
    annotations: [
      undefined,
      { readOnlyHint: true, openWorldHint: false },
      { destructiveHint: true },
      { destructiveHint: false },
    ][at % 4],
  }))

export function toolsOf(kind) {
  if (kind === 'odd') return oddTools
  if (kind.startsWith('many-')) return manyTools(Number(kind.slice(5)))
  const [place, letters, nouns] = kinds[kind]
  const tools = nouns
    .split(' ')
    .flatMap((noun) => [...letters].map((letter) => toolOf(letter, noun, place)))
  return kind === 'github'
    ? [createIssue, ...tools.filter(({ name }) => name !== 'create_issue')]
    : tools
}

function toolOf(letter, noun, place) {
  const [verb, properties, required] = verbs[letter]
  const words = noun.replaceAll('_', ' ')
  const name = verb === 'list' ? `list_${noun}s` : `${verb}_${noun}`
  return {
    name,
    description: `${verb[0].toUpperCase()}${verb.slice(1)} ${verb === 'list' ? `the ${words}s` : `a ${words}`} of ${place}. Needs the right to ${verb === 'list' ? 'read' : 'write'} there. Answers with the ${words} as JSON, with its identifier, its state, who made it and when. Errors say what is missing.`,
    inputSchema: { type: 'object', properties: properties(words), required },
    annotations: { readOnlyHint: verb === 'list', destructiveHint: verb === 'delete' },
  }
}
