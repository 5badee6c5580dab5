// Ends with 0 if what the container serves over HTTP is well, or if it serves stdio, where the
// process is all there is to see.
import { readFileSync } from 'node:fs'

const given = readFileSync('/proc/1/cmdline', 'utf8').split('\0')
const address = given[given.indexOf('--http') + 1]
const http = given.includes('--http') ? address : (process.env.DOCS_MCP_HTTP ?? '')
if (http !== '') {
  const port = process.env.PITH_PORT ?? http.split(':').at(-1)
  const reply = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  }).catch(() => undefined)
  process.exitCode = reply?.ok ? 0 : 1
}
