// One scenario of the conformance suite for clients: aggregator-mcp in mode full with the server of the
// suite, driven as a client and its user would: lists, calls each tool, follows addresses of sign-ins,
// and runs login where a reply asks for it.   node client.mjs FOLDER URL
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const [folder, url] = process.argv.slice(2)
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const isModern = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION?.startsWith('2026') ?? false
const main = fileURLToPath(new URL('../../apps/aggregator-mcp/dist/main.js', import.meta.url))
const options = ['--config', join(folder, 'config.json'), '--state', join(folder, 'state')]

/** What an operator would write for this server. */
function oauthOf() {
  const { client_id: clientId, client_secret: clientSecret } = given
  const isUnattended = scenario.startsWith('auth/client-credentials')
  // The metadata document that the suite knows, as the id of a client that is hosted elsewhere.
  if (scenario === 'auth/basic-cimd')
    return { clientId: 'https://conformance-test.local/client-metadata.json' }
  if (clientId === undefined) return undefined
  return {
    clientId,
    ...(clientSecret && { clientSecret }),
    ...(isUnattended && { grant: 'client_credentials' }),
    ...(given.private_key_pem && {
      privateKey: given.private_key_pem,
      algorithm: given.signing_algorithm ?? 'ES256',
    }),
  }
}

const oauth = oauthOf()
const server = {
  type: 'http',
  url,
  asks: ['form', 'url', 'sampling', 'roots'],
  ...(oauth && { oauth }),
}
// Repetitions are part of some scenarios.
const aggregator = { trust: { new: 'allow', scan: false }, journal: { holdRepeatsMinutes: 0 } }
writeFileSync(
  join(folder, 'config.json'),
  JSON.stringify({ mcpServers: { suite: server }, aggregator }),
)

const followed = new Set()
let signingIn = Promise.resolve()

/** Opens the address of a sign-in, as a browser does. */
function followIn(text) {
  for (const [address] of text.matchAll(/https?:\/\/[^\s"\\]*\/authorize[^\s"\\]*/g)) {
    const target = address.replace(/[.,)]+$/, '')
    if (followed.has(target)) continue
    followed.add(target)
    signingIn = fetch(target).then(
      (response) => response.text(),
      () => {},
    )
  }
}

const child = spawn(process.execPath, [
  main,
  ...options,
  '--mode',
  'full',
  '--no-prefix',
  '--stderr',
])
createInterface({ input: child.stderr }).on('line', followIn)
const waiting = new Map()
let lastId = 0

createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line)
  if (message.method && message.id !== undefined)
    send({ id: message.id, result: answerTo(message.method, message.params) })
  else waiting.get(message.id)?.(message)
})

function send(message) {
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }
const prefix = 'io.modelcontextprotocol/'
const meta = {
  [`${prefix}protocolVersion`]: '2026-07-28',
  [`${prefix}clientInfo`]: { name: 'client-leg', version: '1' },
  [`${prefix}clientCapabilities`]: capabilities,
}

function request(method, params = {}) {
  const id = ++lastId
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    send({ id, method, params: isModern ? { ...params, _meta: meta } : params })
  })
}

/** A user who accepts what is proposed. */
function answerTo(method, { requestedSchema } = {}) {
  if (method === 'roots/list') return { roots: [] }
  if (method === 'sampling/createMessage')
    return { role: 'assistant', model: 'none', content: { type: 'text', text: 'yes' } }
  const properties = Object.entries(requestedSchema?.properties ?? {})
  const content = properties.flatMap(([name, property]) => {
    if (property.default !== undefined) return [[name, property.default]]
    return property.type === 'boolean' ? [[name, true]] : []
  })
  return { action: 'accept', content: Object.fromEntries(content) }
}

const needsSignIn = (reply) => /sign.?in/i.test(JSON.stringify(reply.error ?? reply.result ?? ''))

async function login() {
  const command = spawn(process.execPath, [main, 'login', 'suite', ...options], { timeout: 15_000 })
  for (const stream of [command.stdout, command.stderr])
    createInterface({ input: stream }).on('line', followIn)
  await once(command, 'exit')
}

/** The tools; what has none may wait for a sign-in. */
async function listTools() {
  for (let attempt = 0; attempt < 3; attempt++) {
    const reply = await request('tools/list')
    if (reply.result?.tools?.length > 0) return reply.result.tools
    if (needsSignIn(reply)) await login()
    await sleep(300)
  }
  return []
}

/** Calls a tool, again after a sign-in, with answers to what its server asks. */
async function call(name, args = {}) {
  for (let attempt = 0; attempt < 5; attempt++) {
    let reply = await request('tools/call', { name, arguments: args })
    const { inputRequests, requestState } = reply.result ?? {}
    if (inputRequests) {
      const answers = Object.entries(inputRequests).map(([key, { method, params }]) => [
        key,
        answerTo(method, params),
      ])
      // A state is of one call: others in between must not get it.
      if (scenario.includes('request-state') && name.includes('echo'))
        await request('tools/call', { name: 'test_mrtr_unrelated', arguments: {} })
      reply = await request('tools/call', {
        ...{ name, arguments: args, inputResponses: Object.fromEntries(answers) },
        ...(requestState !== undefined && { requestState }),
      })
    }
    if (!reply.error && !reply.result?.isError) return
    if (!needsSignIn(reply)) return
    followIn(JSON.stringify(reply))
    await sleep(300)
    await signingIn
    await sleep(400)
  }
}

async function readAll() {
  const { result: { resources = [] } = {} } = await request('resources/list')
  if (resources[0]) await request('resources/read', { uri: resources[0].uri })
  const { result: { prompts = [] } = {} } = await request('prompts/list')
  if (prompts[0]) await request('prompts/get', { name: prompts[0].name })
}

if (!isModern) {
  const clientInfo = { name: 'client-leg', version: '1' }
  await request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo })
  send({ method: 'notifications/initialized' })
}
const tools = await listTools()
if (scenario.startsWith('auth/')) {
  const { name } = tools.find((tool) => tool.name === 'test-tool') ??
    tools[0] ?? { name: 'test-tool' }
  await call(name)
  if (/step-up|migration|retry-limit/.test(scenario)) await call(name)
} else if (given.toolCalls)
  for (const { name, arguments: args } of given.toolCalls) await call(name, args)
else if (scenario === 'json-schema-2020-12-preservation') {
  const { inputSchema } = tools.find(({ name }) => name === 'json_schema_2020_12_tool') ?? {}
  await call('json_schema_echo', { schema: inputSchema })
} else if (scenario !== 'json-schema-ref-no-deref') {
  for (const { name, inputSchema } of tools)
    await call(name, inputSchema?.properties?.a ? { a: 2, b: 3 } : {})
  if (scenario === 'http-standard-headers') await readAll()
}
await sleep(300)
child.stdin.end()
await Promise.race([once(child, 'exit'), sleep(2_000)])
process.exit(0)
