import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Session } from 'node:inspector/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { pathToFileURL } from 'node:url'

/**
 * Files and functions of the packages that run for one request, after another has warmed up all
 * that is loaded once: a section of a web page, and a call of a tool through the aggregator. From
 * the built packages, in processes of their own.
 */
export const walks = () =>
  Object.keys(requests).map((name) => {
    const printed = execFileSync(process.execPath, [self, name], {
      encoding: 'utf8',
    })
    return { name, ...JSON.parse(printed) }
  })

const self = new URL(import.meta.url).pathname

const built = (name) => import(pathToFileURL(resolve(`packages/${name}/dist/index.js`)))

const requests = {
  async page() {
    const { createDocs } = await built('docs')
    const html = readFileSync(
      'packages/cleaner/test/fixtures/snowflake--create-table/input.html',
      'utf8',
    )
    const site = createServer((_, reply) => {
      reply.setHeader('content-type', 'text/html')
      reply.end(html)
    }).listen(0, '127.0.0.1')
    await new Promise((done) => site.once('listening', done))
    const docs = await createDocs({ networks: ['127.0.0.1'] })
    const { port } = site.address()
    const read = async (path) => {
      const url = `http://127.0.0.1:${port}/${path}`
      const [section] = await docs.sectionIds(url)
      return docs.section(url, section)
    }
    await read('first')
    return {
      request: () => read('second'),
      async close() {
        await docs.close()
        site.close()
      },
    }
  },
  call: () =>
    callOver({
      first: {
        method: 'initialize',
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 'walk', version: '1' },
        },
      },
      meta: undefined,
    }),
  call2026: () =>
    callOver({
      first: { method: 'server/discover', params: { _meta: modernMeta } },
      meta: modernMeta,
    }),
}

const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'walk', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A call of a tool of a server, from a line of a client to the line of the answer. */
async function callOver({ first, meta }) {
  const { createAggregator, readConfig, serveStdio } = await built('aggregator')
  const server = resolve('apps/aggregator-mcp/test/running/odd-server.mjs')
  const echo = { command: process.execPath, args: [server] }
  const { servers } = await readConfig(JSON.stringify({ mcpServers: { echo } }), process.env)
  const aggregator = createAggregator({ servers })
  const [input, output] = [new PassThrough(), new PassThrough()]
  const endpoint = serveStdio(aggregator, { input, output })
  const answers = createInterface({ input: output })[Symbol.asyncIterator]()
  let id = 0
  const ask = async (message) => {
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, ...message })}\n`)
    for (;;) {
      const { value } = await answers.next()
      const answer = JSON.parse(value)
      if (answer.error) throw new Error(answer.error.message)
      if (answer.id === id) return answer
    }
  }
  await ask(first)
  const call = () =>
    ask({
      method: 'tools/call',
      params: {
        name: 'call',
        arguments: { module: 'echo', tool_name: 'echo', params: { text: 'again' } },
        ...(meta && { _meta: meta }),
      },
    })
  await call()
  return {
    request: call,
    async close() {
      await endpoint.close()
      await aggregator.close()
    },
  }
}

/** Files and functions that ran since the coverage was taken last. */
function countOf({ result }) {
  const files = result
    .filter(({ url }) => /\/packages\/[\w-]+\/dist\//.test(url))
    // The first function of a script is its module.
    .map(({ functions }) => functions.slice(1).filter(({ ranges }) => ranges[0].count > 0).length)
    .filter((functions) => functions > 0)
  return { files: files.length, functions: files.reduce((sum, functions) => sum + functions, 0) }
}

if (process.argv[1] === self) {
  const { request, close } = await requests[process.argv[2]]()
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  await request()
  process.stdout.write(JSON.stringify(countOf(await session.post('Profiler.takePreciseCoverage'))))
  session.disconnect()
  await close()
}
