// Where functions begin and end, beside what others than tree-sitter say, and the same for
// tree-sitter alone with the grammar's tags. Needs ctags (Universal Ctags) and python3.
//   node extents.mjs [--show N]      with the first N functions of each corpus that are missed
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createCode } from '../../packages/code/dist/index.js'
import { isOneHeader } from './c-tokens.mjs'
import { codeFolder, corpora } from './corpora.mjs'
import { references } from './references.mjs'
import { createTagger } from './tags.mjs'

const { values } = parseArgs({ options: { show: { type: 'string', default: '0' } } })
const functionKinds = new Set(['function', 'method', 'constructor', 'accessor'])

const code = await createCode({ roots: [codeFolder], parseTimeoutMs: 120_000 })

async function ourFunctions(file) {
  const { entries } = await code.outline(file)
  return entries
    .filter(({ kind }) => functionKinds.has(kind))
    .map((entry) => ({ ...entry, name: entry.path.replace(/\[\d+\]$/, '') }))
}

/** Whether the header of a function that begins on a line holds the line of the reference's name. */
function headerTest(text, language) {
  if (language !== 'c') return ({ starts }, startLine) => starts.includes(startLine)
  const offsets = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) offsets.push(at + 1)
  return ({ line }, startLine) => isOneHeader(text, offsets[startLine - 1], offsets[line - 1])
}

/** Each function of the reference with the one of ours that has its lines, each of ours but once. */
function match(wanted, own, isHeader) {
  const byEnd = new Map()
  for (const one of own) byEnd.set(one.endLine, [...(byEnd.get(one.endLine) ?? []), one])
  const used = new Set()
  const fitting = (reference) =>
    (byEnd.get(reference.end) ?? []).filter(
      (one) =>
        !used.has(one) && one.startLine <= reference.line && isHeader(reference, one.startLine),
    )
  const matches = new Map()
  // Those of the same name first: several functions may share a line.
  for (const isStrict of [true, false])
    for (const reference of wanted) {
      if (matches.has(reference)) continue
      const found = fitting(reference).find(
        ({ name }) => !isStrict || `/${name}`.endsWith(`/${reference.name}`),
      )
      if (!found) continue
      used.add(found)
      matches.set(reference, { found, isStrict })
    }
  return { matches, extra: own.length - used.size }
}

/** Of functions that are missed, those that ours has with the comments that follow in them. */
function commentsOnly(missed, own, text) {
  const lines = text.split('\n')
  return missed.filter(({ starts, end }) =>
    own.some(
      ({ startLine, endLine }) =>
        starts?.includes(startLine) &&
        endLine > end &&
        lines.slice(end, endLine).every((line) => /^\s*(?:#|$)/.test(line)),
    ),
  ).length
}

const percent = (part, whole) => ((100 * part) / whole).toFixed(2)

console.log(
  '| corpus | files | functions | extents % | with the name % | recovered | missed for a comment at the end | not in the reference | tags.scm: extents % | with the name % |\n|---|---|---|---|---|---|---|---|---|---|',
)
for (const { name, language, files } of corpora) {
  const wanted = references[language](files())
  const tagged = await createTagger(language)
  const sums = {
    total: 0,
    extents: 0,
    strict: 0,
    recovered: 0,
    comments: 0,
    extra: 0,
    tags: 0,
    strictTags: 0,
  }
  const misses = []
  for (const [file, functions] of wanted) {
    const text = readFileSync(join(codeFolder, file), 'utf8')
    const isHeader = headerTest(text, language)
    const own = await ourFunctions(file)
    const { matches, extra } = match(functions, own, isHeader)
    const tags = match(functions, tagged(text), isHeader)
    const countStrict = (all) => [...all.values()].filter(({ isStrict }) => isStrict).length
    sums.total += functions.length
    sums.extents += matches.size
    sums.strict += countStrict(matches)
    sums.recovered += [...matches.values()].filter(
      ({ found }) => found.extent === 'recovered',
    ).length
    sums.comments += commentsOnly(
      functions.filter((reference) => !matches.has(reference)),
      own,
      text,
    )
    sums.extra += extra
    sums.tags += tags.matches.size
    sums.strictTags += countStrict(tags.matches)
    for (const reference of functions) {
      const { found, isStrict = false } = matches.get(reference) ?? {}
      if (isStrict) continue
      const near = found ?? own.find(({ name }) => `/${name}`.endsWith(`/${reference.name}`))
      const instead = near ? `${near.name} ${near.startLine}-${near.endLine}` : 'nothing'
      misses.push(`${file}:${reference.line}-${reference.end} ${reference.name}: ${instead}`)
    }
  }
  const { total, extents, strict, recovered, comments, extra, tags, strictTags } = sums
  const shares = [extents, strict].map((part) => percent(part, total))
  const tagShares = [tags, strictTags].map((part) => percent(part, total))
  console.log(
    `| ${[name, wanted.size, total, ...shares, recovered, comments, extra, ...tagShares].join(' | ')} |`,
  )
  for (const miss of misses.slice(0, Number(values.show))) console.error(miss)
}
await code.close()
