// aggregator-mcp beside a direct connection and other aggregators, interleaved; prints Markdown
// tables. Sections: latency http large start memory tokens isolation; all of them if none is named.
//   node run.mjs [section ...] [--rounds N] [--calls N, 500] [--only a part of a name]...
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { http, latency } from './calls.mjs'
import { isolation } from './isolation.mjs'
import { large } from './large.mjs'
import { memory } from './memory.mjs'
import { printAbsences } from './report.mjs'
import { start } from './start.mjs'
import { tokens } from './tokens.mjs'

const sections = { latency, http, large, start, memory, tokens, isolation }
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    calls: { type: 'string' },
    only: { type: 'string', multiple: true },
  },
})
const unknown = positionals.filter((name) => !Object.hasOwn(sections, name))
if (unknown.length > 0) throw new Error(`No section ${unknown}; there are ${Object.keys(sections)}`)
const number = (text) => (text === undefined ? undefined : Number(text))
const options = { rounds: number(values.rounds), calls: number(values.calls), only: values.only }

console.log(
  `Node ${process.version}, ${cpus().length} cores, ${new Date().toISOString().slice(0, 10)}`,
)
for (const name of positionals.length > 0 ? positionals : Object.keys(sections))
  await sections[name](options)
printAbsences()
process.exit()
