import { setTimeout as pause } from 'node:timers/promises'
import { longName } from './catalogue.mjs'
import { Rejection } from './refusal.mjs'

const text = (words, more = {}) => ({ content: [{ type: 'text', text: words }], ...more })
const both = (structuredContent) => text(JSON.stringify(structuredContent), { structuredContent })

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII='

const rich = {
  content: [
    {
      type: 'text',
      text: 'plain \u0000 é 🛰 \u2028',
      annotations: { audience: ['user', 'assistant'], priority: 0.25 },
      _meta: { 'spy.example/block': 1 },
      'x-spy-block': 'unknown',
    },
    { type: 'image', data: png, mimeType: 'image/png', annotations: { priority: 0 } },
    { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav', _meta: { 'spy.example/block': 3 } },
    {
      type: 'resource_link',
      uri: 'spy://text',
      name: 'text',
      title: 'A text',
      description: 'linked',
      mimeType: 'text/plain',
      size: 11,
      annotations: { lastModified: '2026-01-02T03:04:05Z' },
    },
    {
      type: 'resource',
      resource: { uri: 'spy://made-up', mimeType: 'text/plain', text: 'embedded', _meta: { a: 1 } },
      annotations: { priority: 1 },
      _meta: { 'spy.example/block': 5 },
    },
    { type: 'resource', resource: { uri: 'spy://made-up/blob', blob: 'AP+A' } },
  ],
  structuredContent: { numbers: [0, -0.5, 1e21], nothing: null, nested: { a: [{}] } },
  _meta: { 'spy.example/result': { kept: true } },
  'x-spy-result': 'unknown',
}

const question = (message, requestedSchema) => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: requestedSchema ?? {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', minLength: 1 },
        age: { type: 'integer', minimum: 0 },
      },
      required: ['name'],
    },
  },
})

const sampling = (params) => ({ method: 'sampling/createMessage', params })
const roots = { method: 'roots/list' }

async function slow({ ms = 20000 }, call) {
  await pause(ms, undefined, { signal: call.signal }).catch(() => {})
  return text(call.signal.aborted ? 'cancelled' : 'done')
}

async function progress({ steps = 3, label = 'step', total = steps }, call) {
  for (let step = 1; step <= steps; step++) {
    call.progress({ progress: step, total, message: `${label} ${step}` })
  }
  return text(`${label} done`)
}

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

async function twice({ first = 'first?', second = 'second?' }, call) {
  const { one } = await call.ask({ one: question(first) })
  const { two } = await call.ask({ two: question(second) })
  return both({ one, two })
}

function changed(list, entry, change, call) {
  list.push(entry)
  call.world.tell({ method: `notifications/${change}/list_changed` })
  return text(`${change} changed`)
}

const object = { type: 'object' }

const behaviours = {
  echo: (args, call) => both({ args, meta: call.meta }),
  'spy.dotted-name': (args) => both({ dotted: args }),
  [longName]: (args) => both({ long: args }),
  rich: () => rich,
  fails: (args) =>
    text('it went wrong', { isError: true, structuredContent: { why: args.why ?? null } }),
  errors({ code = -32050, message = 'refused by the spy', data = { why: 'asked to' } }) {
    throw new Rejection(code, message, data)
  },
  progress,
  slow,
  async logs(_, call) {
    for (const level of levels) call.log(level, { level, nested: { n: [1] } })
    return text('logged')
  },
  samples: async (args, call) => both({ answer: (await call.ask({ q: sampling(args) })).q }),
  elicits: async ({ message = 'who?', requestedSchema }, call) =>
    both({ answer: (await call.ask({ q: question(message, requestedSchema) })).q }),
  async elicits_url({ url = 'https://spy.example/consent?x=1' }, call) {
    const id = call.era === 'legacy' ? { elicitationId: 'spy-elicitation-1' } : {}
    const params = { mode: 'url', message: 'Please open', url, ...id }
    return both({ answer: (await call.ask({ q: { method: 'elicitation/create', params } })).q })
  },
  lists_roots: async (_, call) => both({ answer: (await call.ask({ q: roots })).q }),
  asks_twice: twice,
  asks_together: async (args, call) =>
    both(await call.ask({ form: question('together?'), model: sampling(args), roots })),
  big: ({ size = 100_000 }) => text('0123456789abcdef'.repeat(Math.ceil(size / 16)).slice(0, size)),
  adds_tool({ name = 'added' }, call) {
    const added = { name, title: `Spy: ${name}`, description: 'Added later.', inputSchema: object }
    return changed(call.world.tools, added, 'tools', call)
  },
  changes_prompts: ({ name = 'added' }, call) =>
    changed(call.world.prompts, { name, description: 'Added later.' }, 'prompts', call),
  changes_resources: ({ uri = 'spy://added' }, call) =>
    changed(call.world.resources, { uri, name: uri }, 'resources', call),
  updates_resource({ uri, tell = true }, call) {
    const subscribers = call.world.subscribers(uri)
    if (tell) call.world.tell({ method: 'notifications/resources/updated', params: { uri } })
    return both({ subscribers })
  },
  crashes: () => process.exit(3),
  param_header: ({ region = null }, call) => both({ region, header: call.header ?? null }),
}

export async function runTool({ name, arguments: args = {} }, call) {
  const behaviour = Object.hasOwn(behaviours, name) ? behaviours[name] : undefined
  if (behaviour !== undefined) return await behaviour(args, call)
  if (call.world.tools.some((tool) => tool.name === name)) return text(`${name}, added later`)
  throw new Rejection(-32602, `Unknown tool: ${name}`)
}
