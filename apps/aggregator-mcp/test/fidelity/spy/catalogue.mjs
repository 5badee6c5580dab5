const icon = { src: 'data:image/png;base64,iVBORw0KGgo=', mimeType: 'image/png', sizes: ['48x48'] }
const anything = { type: 'object', additionalProperties: true }

const tool = (name, more = {}) => ({
  name,
  title: `Spy: ${name}`,
  description: `The spy's ${name}.`,
  inputSchema: anything,
  ...more,
})

const echo = tool('echo', {
  icons: [icon],
  annotations: {
    title: 'Echo, annotated',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    'x-spy-keyword': { kept: [1, null, 'é'] },
    properties: {
      text: { type: 'string', 'x-widget': 'textarea', examples: ['a\u2028b'] },
      deep: {
        type: 'array',
        prefixItems: [{ const: 1 }],
        items: { anyOf: [{ $ref: '#/$defs/leaf' }, { type: 'null' }] },
      },
    },
    $defs: {
      leaf: {
        type: 'object',
        properties: { next: { $ref: '#/$defs/leaf' } },
        patternProperties: { '^x-': {} },
        unevaluatedProperties: false,
      },
    },
    additionalProperties: true,
  },
  outputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { args: { type: 'object' }, meta: { type: 'object' } },
    required: ['args', 'meta'],
    'x-spy-output': true,
  },
  _meta: { 'spy.example/ui': { resourceUri: 'ui://spy/echo' }, 'anthropic/searchHint': 'mirror' },
  'x-spy-extra': { unknown: ['to', 'every', 'schema'] },
})

const paramHeader = tool('param_header', {
  inputSchema: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, note: { type: 'string' } },
  },
})

const plain = [
  'rich',
  'fails',
  'errors',
  'progress',
  'slow',
  'logs',
  'samples',
  'elicits',
  'elicits_url',
  'lists_roots',
  'asks_twice',
  'asks_together',
  'big',
  'adds_tool',
  'updates_resource',
  'changes_prompts',
  'changes_resources',
  'crashes',
]

export const longName = 'a_name_of_seventy_characters_which_is_more_than_several_clients_can_do'

export const tools = [
  echo,
  ...plain.map((name) => tool(name)),
  paramHeader,
  tool('spy.dotted-name'),
  tool(longName),
]

export const prompts = [
  {
    name: 'greet',
    title: 'Greeting',
    description: 'Greets somebody.',
    icons: [icon],
    arguments: [
      { name: 'who', description: 'Who is greeted', required: true },
      { name: 'style', required: false },
    ],
    _meta: { 'spy.example/prompt': 1 },
  },
  { name: 'with_resource', description: 'Carries an embedded resource.' },
  { name: 'asking', description: 'Asks before it answers.' },
]

export const resources = [
  {
    uri: 'spy://text',
    name: 'text',
    title: 'A text',
    description: 'Some text.',
    mimeType: 'text/plain',
    size: 11,
    icons: [icon],
    annotations: { audience: ['user'], priority: 0.5, lastModified: '2026-01-02T03:04:05Z' },
    _meta: { 'spy.example/resource': 'kept' },
  },
  { uri: 'spy://blob', name: 'blob', mimeType: 'application/octet-stream', size: 4 },
  { uri: 'spy://watched', name: 'watched', mimeType: 'text/plain' },
]

export const templates = [
  {
    uriTemplate: 'spy://item/{id}',
    name: 'item',
    title: 'An item',
    description: 'One of many.',
    mimeType: 'text/plain',
    annotations: { priority: 1 },
    _meta: { 'spy.example/template': true },
  },
  { uriTemplate: 'spy://pair/{left}/{right}', name: 'pair' },
]
