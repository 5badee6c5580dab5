// Whether `aggregator-mcp meter` counts what others counted: the transcripts of tokbench, by its own
// totals of input and output.
//   git clone --depth 1 https://github.com/Entelligentsia/tokbench
//   TOKBENCH=<folder> node tokbench.mjs
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createHome, removeHome } from './processes.mjs'
import { printTable } from './report.mjs'
import { linesOf, readTokbench } from './tokbench-runs.mjs'

const { TOKBENCH: folder } = process.env
const runs = readTokbench(folder)
if (!runs) {
  console.log(
    'tokbench is absent: git clone --depth 1 https://github.com/Entelligentsia/tokbench, then TOKBENCH=<folder> node tokbench.mjs',
  )
  process.exit(folder ? 1 : 0)
}

const main = fileURLToPath(new URL('../../apps/aggregator-mcp/dist/main.js', import.meta.url))

/** What the meter says of the transcripts that `write` puts into a folder of Claude Code. */
function meter(write) {
  const home = createHome()
  try {
    const projects = join(home, '.claude/projects/bench')
    mkdirSync(projects, { recursive: true })
    write(projects)
    const env = { ...process.env, HOME: home, USERPROFILE: home, CLAUDE_CONFIG_DIR: '' }
    const args = [main, 'meter', '--json', '--since', '2026-01-01', '--no-state']
    return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }))
  } finally {
    removeHome(home)
  }
}

const rows = runs.map(({ run, arm_label: arm, sessions, total_input, total_output }) => {
  const { total } = meter((projects) => {
    for (const session of sessions)
      writeFileSync(
        join(projects, `${session.name.replaceAll('/', '-')}l`),
        linesOf(session).join('\n'),
      )
  })
  return [`${run}, ${arm}`, total_input, total.input, total_output, total.output, total.ownResults]
})

const claudeCode = join(folder, 'results/c0-T-fix-claude-r1/main-session')
const { total, notes } = meter((projects) => cpSync(claudeCode, projects, { recursive: true }))
/** tokbench adds the usage of each line; a response of several blocks has several, all with its usage. */
let byLine = 0
for (const name of readdirSync(claudeCode, { recursive: true }).filter((name) =>
  name.endsWith('.jsonl'),
))
  for (const text of readFileSync(join(claudeCode, name), 'utf8').trim().split('\n')) {
    const {
      input_tokens = 0,
      cache_creation_input_tokens = 0,
      cache_read_input_tokens = 0,
    } = JSON.parse(text).message?.usage ?? {}
    byLine += input_tokens + cache_creation_input_tokens + cache_read_input_tokens
  }

const shown = (value) => value.toLocaleString('en-US')
printTable(
  'tokbench: tokens of all requests, by its totals and by the meter',
  [
    'run',
    'input, tokbench',
    'input, meter',
    'difference',
    'output, tokbench',
    'output, meter',
    'results carried',
  ],
  rows.map(([name, theirs, ours, theirOutput, ourOutput, carried]) => [
    name,
    shown(theirs),
    shown(ours),
    ((ours / theirs - 1) * 100).toFixed(2),
    shown(theirOutput),
    shown(ourOutput),
    `${((carried / ours) * 100).toFixed(0)} %`,
  ]),
)
console.log(
  `\nClaude Code: tokbench states 8,685,243 tokens, the sum over lines, here ${shown(byLine)}. Its ${shown(total.requests)} requests had ${shown(total.input)}: a response is on one line a block, each with the usage of the whole.`,
)
console.log(`Notes: ${notes.map(({ text, count }) => `${text} (${count})`).join('; ') || 'none'}`)
