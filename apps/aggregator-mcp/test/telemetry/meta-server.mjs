// A server on raw JSON-RPC whose tools answer with what came to them:
//   meta   the _meta of the call
//   fail   a result that says it failed
//   wrong  an error of JSON-RPC
//   hang   nothing
//   token  its secret, on stderr, and then it ends
// Over stdio, or over HTTP with --http, where it prints its port.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { json } from 'node:stream/consumers'

const tools = ['meta', 'fail', 'wrong', 'hang', 'token'].map((name) => ({
  name,
  inputSchema: { type: 'object' },
}))

function answer({ id, method, params = {} }) {
  const result = (value) => ({ jsonrpc: '2.0', id, result: value })
  const error = (code, message) => ({ jsonrpc: '2.0', id, error: { code, message } })
  if (method === 'initialize') {
    const { protocolVersion } = params
    const serverInfo = { name: 'meta', version: '1' }
    return result({ protocolVersion, capabilities: { tools: {} }, serverInfo })
  }
  if (method === 'tools/list') return result({ tools })
  if (method === 'ping') return result({})
  if (method !== 'tools/call') return error(-32601, 'Method not found')
  if (params.name === 'wrong') return error(-32123, 'private words')
  if (params.name === 'token') {
    process.stderr.write(`the token is ${process.env.META_TOKEN}\n`)
    process.exit(3)
  }
  const text = JSON.stringify(params._meta ?? null)
  return result({ content: [{ type: 'text', text }], isError: params.name === 'fail' })
}

if (process.argv.includes('--http')) {
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = await json(request)
    if (message.id === undefined) return response.writeHead(202).end()
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer(message)))
  })
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
} else {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line)
    if (message.id === undefined || message.params?.name === 'hang') return
    process.stdout.write(`${JSON.stringify(answer(message))}\n`)
  })
}
