// What a model pays on every turn for the tools of three servers with 40 tools each, in tokens of
// o200k: the list as it is sent, and the instructions.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { connect } from './client.mjs'
import { aggregators, direct } from './contenders.mjs'
import { createHome, removeHome, wait } from './processes.mjs'
import { interleave, present, printTable, rowsOf } from './report.mjs'
import { wholeList } from './start.mjs'
import { many } from './upstreams.mjs'

async function measure(contender, servers = many) {
  const home = createHome()
  try {
    contender.configure(home, servers)
    const first = await connect(contender, home)
    await wholeList(first, contender, servers)
    await wait(1_500)
    await first.close()
    // Once it knows the servers: what it tells of them may be in the list or in the instructions.
    const client = await connect(contender, home)
    const tools = await wholeList(client, contender, servers)
    await client.close()
    const [listed, told] = [JSON.stringify(tools), client.instructions ?? ''].map(
      (text) => encode(text).length,
    )
    return { tools: tools.length, listed, told }
  } finally {
    removeHome(home)
  }
}

async function sum() {
  const all = []
  for (const server of Object.values(many))
    all.push(await measure({ ...direct, lists: 'own', stdio: () => server }))
  const total = (of) => all.reduce((value, entry) => value + of(entry), 0)
  return {
    tools: total(({ tools }) => tools),
    listed: total(({ listed }) => listed),
    told: total(({ told }) => told),
  }
}

export async function tokens({ only }) {
  const contenders = [...present([direct], undefined), ...present(aggregators, only)]
  const run = (contender) => (contender === direct ? sum() : measure(contender))
  const results = await interleave(contenders, 1, run)
  const base = results.get(direct).all[0]
  const columns = ['', 'tools', 'tokens of tools/list', 'of the instructions', 'saved %']
  const rows = rowsOf(results, columns, ([{ tools, listed, told }]) => [
    tools,
    listed.toLocaleString('en'),
    told.toLocaleString('en'),
    (100 * (1 - (listed + told) / (base.listed + base.told))).toFixed(1).replace('-', '−'),
  ])
  printTable(`Tokens for ${base.tools} tools of three servers`, columns, rows)
}
