// Ends with 0 if what the container serves over HTTP is well, or if it serves stdio, where the
// process is all there is to see.
import { readFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import { get as httpsGet } from 'node:https'

const given = readFileSync('/proc/1/cmdline', 'utf8').split('\0')
const flagOf = (name) => {
  const at = given.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  return given[at] === `--${name}` ? given[at + 1] : given[at]?.slice(name.length + 3)
}
const { DOCS_MCP_HTTP, DOCS_MCP_TLS_CERT, AGGREGATOR_MCP_TLS_CERT } = process.env
const http = flagOf('http') ?? DOCS_MCP_HTTP ?? ''
const isTls = flagOf('tls-cert') ?? DOCS_MCP_TLS_CERT ?? AGGREGATOR_MCP_TLS_CERT
if (http !== '') {
  const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${http.split(':').at(-1)}/healthz`
  // The certificate is for other names than this one.
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(4_000) }
  process.exitCode = 1
  ;(isTls ? httpsGet : httpGet)(url, options, (reply) => {
    reply.resume()
    if (reply.statusCode === 200) process.exitCode = 0
  }).on('error', () => {})
}
