// Types and macros that Universal Ctags has in checkouts, and their ends, beside what Pith lists:
//   node types.mjs --repos DIR [--show N]
// DIR has a checkout a name. A type of ctags counts as found if a symbol or value of its file has its
// name and begins within three lines of it; its end is right if it is on the same line.
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCode } from '../../packages/code/dist/index.js'

const { values } = parseArgs({
  options: { repos: { type: 'string' }, show: { type: 'string', default: '0' } },
})
const kinds = /^(?:class|interface|struct|enum|union|trait|object|macro)$/
const endings = /\.(?:c|h|cc|cpp|hpp|cs|java|kt|ts|go|rs|php|swift|py)$/

const tagsOf = (root) =>
  execFileSync(
    'ctags',
    ['-R', '--output-format=json', '--fields=+ne', '--exclude=.git', '-f', '-', '.'],
    {
      cwd: root,
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(
      ({ kind, name, path }) => kinds.test(kind) && endings.test(path) && !/^__anon/.test(name),
    )

console.log('| repository | types | lost | with an end | wrong | macros | lost | ends wrong |')
console.log('| - | - | - | - | - | - | - | - |')
for (const repository of readdirSync(values.repos)) {
  const root = join(values.repos, repository)
  const code = await createCode({ roots: [root], parseTimeoutMs: 120_000 })
  const sums = { type: [0, 0, 0, 0], macro: [0, 0, 0, 0] }
  const shown = []
  for (const [path, tags] of grouped(tagsOf(root))) {
    const file = path.replace(/^\.\//, '')
    const entries = await entriesOf(code, file)
    for (const { name, kind, line, end } of tags) {
      const sum = sums[kind === 'macro' ? 'macro' : 'type']
      sum[0]++
      const isAt = ({ startLine, endLine }) => startLine <= line + 1 && endLine >= line
      const listed = entries.filter((entry) => entry.name === name && isAt(entry))
      const near = listed.length > 0 ? listed : await valuesOf(code, `${file}#${name}`)
      if (near.length === 0) {
        sum[1]++
        shown.push(`lost ${kind} ${file}:${line} ${name}`)
        continue
      }
      if (end === undefined || near[0].endLine === undefined) continue
      sum[2]++
      if (near.some((entry) => entry.endLine === end)) continue
      sum[3]++
      shown.push(`end of ${kind} ${file}:${line} ${name}: ${near[0].endLine}, of ctags ${end}`)
    }
  }
  const [types, macros] = [sums.type, sums.macro]
  console.log(`| ${[repository, ...types, macros[0], macros[1], macros[3]].join(' | ')} |`)
  for (const line of shown.slice(0, Number(values.show))) console.log(line)
  await code.close()
}

function grouped(tags) {
  const groups = new Map()
  for (const tag of tags) groups.set(tag.path, [...(groups.get(tag.path) ?? []), tag])
  return groups
}

async function entriesOf(code, file) {
  try {
    const { entries } = await code.outline(file)
    return entries.map(({ path, startLine, endLine }) => ({
      name: path
        .replace(/\[\d+\]$/, '')
        .split('/')
        .at(-1),
      startLine,
      endLine,
    }))
  } catch {
    return []
  }
}

/** What an outline does not list; of several with one name, the lines are not compared. */
async function valuesOf(code, id) {
  try {
    const { fileStartLine, fileEndLine } = await code.chunk(id)
    return [{ startLine: fileStartLine, endLine: fileEndLine }]
  } catch ({ code: reason }) {
    return reason === 'ambiguous' ? [{}] : []
  }
}
