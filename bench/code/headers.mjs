// What the first line of a page costs where it names both neighbours, over the 100 longest functions
// of the corpora, beside a token that is JSON in base64.
//   node headers.mjs
import { createCode } from '../../packages/code/dist/index.js'
import { connect, nextToken, tokensOf } from './client.mjs'
import { codeFolder, corpora } from './corpora.mjs'

const maxFunctions = 100
const functionKinds = new Set(['function', 'method', 'constructor', 'accessor'])

const code = await createCode({ roots: [codeFolder], parseTimeoutMs: 120_000 })
const functions = []
for (const { files } of corpora)
  for (const file of files())
    for (const { path, kind, startLine, endLine } of (await code.outline(file)).entries)
      if (functionKinds.has(kind)) functions.push({ file, path, lines: endLine - startLine + 1 })
await code.close()
functions.sort((one, other) => other.lines - one.lines)
const longest = functions.slice(0, maxFunctions)

const server = await connect()
const headers = []
const jsonTokens = []
let withBoth = 0
for (const { file, path } of longest) {
  const before = headers.length
  for await (const reply of server.pages(file, path)) {
    const [header] = reply.split('\n', 1)
    if (!header.includes(' prev ') || !nextToken(reply)) continue
    headers.push({ tokens: tokensOf(header), header })
    jsonTokens.push(tokensOf(jsonToken({ file, path, header })))
  }
  if (headers.length > before) withBoth++
}
await server.close()

/** What the same page would be named by if a token held all of it, as JSON in base64. */
function jsonToken({ file, path, header }) {
  const [, start, end, total] = / lines (\d+)-(\d+)\/(\d+)/.exec(header).map(Number)
  const fields = {
    filePath: `/home/user/project/${file}`,
    chunkId: `function:${path}:${start}`,
    startLine: start,
    endLine: end,
    offset: end,
    pageSize: end - start + 1,
    totalLines: total,
  }
  return Buffer.from(JSON.stringify(fields)).toString('base64')
}

const mean = (numbers) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
const most = headers.reduce((one, other) => (other.tokens > one.tokens ? other : one))
const lines = longest.map((one) => one.lines)
console.log(
  `${longest.length} functions of ${lines.at(-1)} to ${lines[0]} lines, ${withBoth} of them with such pages, ${headers.length} pages`,
)
console.log(
  `first line: ${mean(headers.map(({ tokens }) => tokens)).toFixed(1)} tokens, at most ${most.tokens}: ${most.header}`,
)
console.log(
  `one token as JSON in base64: ${mean(jsonTokens).toFixed(0)} tokens, ${Math.min(...jsonTokens)} to ${Math.max(...jsonTokens)}`,
)
