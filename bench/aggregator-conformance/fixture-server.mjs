// The server that the conformance suite tests, directly and behind aggregator-mcp: every tool,
// prompt and resource that a scenario asks for by name, for both eras of the protocol. Over HTTP it
// prints its address to standard error.
//   node fixture-server.mjs --stdio
//   node fixture-server.mjs --http PORT
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { serveHttp } from './fixture/http.mjs'
import { createFixture, shared } from './fixture/server.mjs'

const [mode, port] = process.argv.slice(2)
if (mode === '--stdio') {
  serveStdio(() => {
    const fixture = createFixture()
    shared.live.add(fixture)
    return fixture.server
  })
} else if (mode === '--http' && port) {
  const server = await serveHttp(Number(port))
  console.error(`Listening on http://127.0.0.1:${server.address().port}/mcp`)
} else {
  console.error('Use: node fixture-server.mjs --stdio | --http PORT')
  process.exit(2)
}
