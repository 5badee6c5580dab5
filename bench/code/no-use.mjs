// How often "No use" is said of a name that has other places: names of definitions of checkouts that
// ctags finds, drawn by a seed, beside all lines that have the name as a word.
//   node no-use.mjs --repos DIR [--count 30] [--seed 1] [--each]
// DIR has a checkout a name. Needs Universal Ctags.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { connect } from './client.mjs'

const { values } = parseArgs({
  options: {
    repos: { type: 'string' },
    count: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    each: { type: 'boolean' },
  },
})
const endings = 'bash bats sh go rb kt py ts js swift rs cs lua c cc h cpp scala'.split(' ')
const kinds = /^(?:function|method|class|interface|struct|constant|variable|macro|enum|trait|type)/

/** Numbers from 0 to 1, the same for a seed. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const random = createRandom(Number(values.seed))
console.log('| repository | names | with other places | "No use" of those | tokens, median |')
console.log('| - | - | - | - | - |')
for (const repository of readdirSync(values.repos)) {
  const root = join(values.repos, repository)
  const names = drawn(namesIn(root), Number(values.count))
  const code = await connect(root)
  let [used, wrong] = [0, 0]
  const sizes = []
  for (const name of names) {
    const reply = await code.call('find_references', { name })
    sizes.push(reply.length / 4)
    const places = linesWith(root, name).length
    const definitions = reply.split('\n').filter((line) => line.startsWith('defined: ')).length
    if (places <= definitions) continue
    used++
    if (!/^No use of .*: but|^No file has/m.test(reply)) continue
    wrong++
    if (values.each) console.log(`${repository} ${name}: ${places} lines\n${reply}`)
  }
  await code.close()
  const median = sizes.sort((a, b) => a - b)[sizes.length >> 1]
  console.log(`| ${repository} | ${names.length} | ${used} | ${wrong} | ${Math.round(median)} |`)
}

function namesIn(root) {
  const tags = execFileSync(
    'ctags',
    ['-R', '--output-format=json', '--exclude=.git', '-f', '-', '.'],
    {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const named = new Set()
  for (const line of tags.toString().split('\n')) {
    if (!line.startsWith('{')) continue
    const { name, kind, path } = JSON.parse(line)
    const isCode = endings.includes(path.split('.').at(-1))
    if (isCode && kinds.test(kind ?? '') && /^(?![aA]non|__anon)[\w$?!]{3,}$/.test(name))
      named.add(name)
  }
  return [...named].sort()
}

function drawn(names, count) {
  const size = Math.min(count, names.length)
  return Array.from({ length: size }, () => names.splice(Math.floor(random() * names.length), 1)[0])
}

function linesWith(root, name) {
  try {
    return execFileSync(
      'git',
      ['grep', '-wnF', '-e', name, '--', ...endings.map((ending) => `*.${ending}`)],
      {
        cwd: root,
        maxBuffer: 2 ** 28,
      },
    )
      .toString()
      .split('\n')
      .filter(Boolean)
  } catch {
    return []
  }
}
