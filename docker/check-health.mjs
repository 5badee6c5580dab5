// Ends with 0 if what the container serves over HTTP is well, or if it serves stdio, where the
// process is all there is to see.
import { readFileSync } from 'node:fs'

const given = readFileSync('/proc/1/cmdline', 'utf8').split('\0')
const at = given.findIndex((word) => /^--http(=|$)/.test(word))
const flag = at < 0 ? undefined : given[at] === '--http' ? given[at + 1] : given[at].slice(7)
const http = flag ?? process.env.DOCS_MCP_HTTP ?? ''
if (http !== '') {
  const reply = await fetch(`http://127.0.0.1:${http.split(':').at(-1)}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  }).catch(() => undefined)
  process.exitCode = reply?.ok ? 0 : 1
}
