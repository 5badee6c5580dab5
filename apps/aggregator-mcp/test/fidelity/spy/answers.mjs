import { prompts, templates } from './catalogue.mjs'
import { Rejection } from './refusal.mjs'
import { runTool } from './tools.mjs'

const secondPage = 'c3B5OnBhZ2UvMg=='

/** Two pages of a list; the second one has what came later, too. */
function page(items, key, params, length) {
  if (params.cursor === undefined) return { [key]: items.slice(0, length), nextCursor: secondPage }
  if (params.cursor === secondPage) return { [key]: items.slice(length) }
  throw new Rejection(-32602, `no such cursor: ${params.cursor}`)
}

const blob = Buffer.from([0, 255, 128, 10]).toString('base64')

function read(uri, call) {
  const item = uri.match(/^spy:\/\/item\/(.+)$/)?.[1]
  const text = (words) => ({
    contents: [{ uri, mimeType: 'text/plain', text: words, _meta: { 'spy.example/read': uri } }],
    _meta: { 'spy.example/result': 'read' },
  })
  if (uri === 'spy://text') return text('hello\nworld')
  if (uri === 'spy://watched') return text('watched')
  if (uri === 'spy://blob') {
    return { contents: [{ uri, mimeType: 'application/octet-stream', blob }] }
  }
  if (item !== undefined && item !== 'none') return text(`item ${item}`)
  throw new Rejection(call.era === 'legacy' ? -32002 : -32602, 'Resource not found', { uri })
}

const said = (text) => ({ role: 'user', content: { type: 'text', text } })

async function prompt(params, call) {
  const { who, style } = params.arguments ?? {}
  if (params.name === 'greet') {
    return {
      description: 'A greeting',
      messages: [said(`Greet ${who}, ${style ?? 'plainly'}.`)],
      _meta: { 'spy.example/result': 'prompt' },
    }
  }
  if (params.name === 'with_resource') {
    const resource = { uri: 'spy://text', mimeType: 'text/plain', text: 'hello\nworld' }
    const annotations = { audience: ['assistant'] }
    return {
      messages: [
        said('Read this.'),
        { role: 'assistant', content: { type: 'resource', resource, annotations } },
      ],
    }
  }
  if (params.name === 'asking') {
    const question = { mode: 'form', message: 'For the prompt?', requestedSchema: nothingAsked }
    const answer = await call.ask({ q: { method: 'elicitation/create', params: question } })
    return { messages: [said(JSON.stringify(answer.q))] }
  }
  const found = prompts.length < call.world.prompts.length ? call.world.prompts.at(-1) : undefined
  if (found?.name === params.name) return { messages: [said('added')] }
  throw new Rejection(-32602, `no such prompt: ${params.name}`)
}

const nothingAsked = { type: 'object', properties: {} }

/** What is completed comes back in the values, so that it can be seen to have arrived. */
function complete({ ref, argument, context }) {
  const values = [
    `${argument.value}!`,
    `${ref.type} ${ref.name ?? ref.uri} ${argument.name}`,
    JSON.stringify(context ?? null),
  ]
  return { completion: { values, total: 17, hasMore: true } }
}

/** Each method both eras have. */
export const answers = {
  'tools/list': (params, { world }) => page(world.tools, 'tools', params, 12),
  'tools/call': (params, call) => runTool(params, call),
  'prompts/list': (params, { world }) => page(world.prompts, 'prompts', params, 1),
  'prompts/get': prompt,
  'resources/list': (params, { world }) => page(world.resources, 'resources', params, 2),
  'resources/templates/list': (params) => page(templates, 'resourceTemplates', params, 1),
  'resources/read': (params, call) => read(params.uri, call),
  'completion/complete': complete,
}

export const capabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
}

export const serverInfo = { name: 'spy', version: '1.0.0', title: 'The spy' }
export const instructions = 'Ask the spy.'
