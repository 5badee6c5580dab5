// Structure of the code: sizes, import cycles, and the order of the rooms of each package.
//
//   pnpm house             one line per package, then violations of the rules
//   pnpm house --json      the same as JSON
//   pnpm house --long      each function over 80 lines or 15 branches: lines, branches, name, place
//   pnpm house --walks     files and functions that run for one page, and for one call (after a build)
//   pnpm house --recipes [WORD]
//                          perform the recipes of CONTRIBUTING.md, or one, in a copy
//   pnpm house --names     the other names of a value on its way, and properties that their readers rename
//   pnpm house --lower     lower the limits of scripts/house/limits.json to what is
//   pnpm house --since COMMIT
//                          lines of source, statements, tests and scripts, there and here
//   pnpm house --mutants [WORD] [--first]
//                          change each constant of scripts/house/mutants.json, or those with the word,
//                          in memory, and say which tests notice; --first: one change for each constant
//   pnpm house --draw SEED
//                          twenty constants drawn at random whose value a decision states
//   pnpm house --times [CHECKOUT] [--rounds N]
//                          time the built programs: start, call, read pages; with another built
//                          checkout, both alternately, and the ratio of the medians
//   pnpm house --picture   write the rooms of all packages, with their sizes, into ARCHITECTURE.md
//   pnpm house --replies CHECKOUT
//                          what the built programs of another checkout reply differently
//
// The order of rooms is scripts/house/rooms.json; test/layers.test.ts checks it.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { compareReplies } from './house/compare-replies.mjs'
import { drawConstants } from './house/draw-constants.mjs'
import { quantile } from './house/graph.mjs'
import { limitsOf, lowerLimits } from './house/limits.mjs'
import { faultsOfMutants, mutants, runMutants } from './house/mutants.mjs'
import { names } from './house/names.mjs'
import { filesTouched, performRecipes } from './house/perform-recipes.mjs'
import { withPicture } from './house/picture.mjs'
import { recipes } from './house/recipes/all-recipes.mjs'
import { settingPlaces } from './house/setting-places.mjs'
import { sizesHere, sizesOf } from './house/sizes.mjs'
import { survey } from './house/survey.mjs'
import { timePrograms } from './house/time-programs.mjs'
import { walks } from './house/walks.mjs'

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    long: { type: 'boolean' },
    times: { type: 'boolean' },
    walks: { type: 'boolean' },
    recipes: { type: 'boolean' },
    mutants: { type: 'boolean' },
    first: { type: 'boolean' },
    draw: { type: 'string' },
    names: { type: 'boolean' },
    lower: { type: 'boolean' },
    since: { type: 'string' },
    replies: { type: 'string' },
    picture: { type: 'boolean' },
    rounds: { type: 'string', default: '9' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})
const isSurvey = !(
  values.help ||
  values.times ||
  values.walks ||
  values.names ||
  values.lower ||
  values.since ||
  values.replies ||
  values.picture ||
  values.recipes ||
  values.mutants ||
  values.draw
)
const packages = isSurvey ? survey() : []
if (values.help) {
  console.log(
    'pnpm house [--json | --long | --walks | --names | --lower | --since COMMIT | --replies CHECKOUT | --picture | --recipes [WORD] | --mutants [WORD] [--first] | --draw SEED | --times [CHECKOUT] [--rounds N]]',
  )
} else if (values.walks) {
  for (const { name, files, functions } of walks())
    console.log(`${name}: ${files} files, ${functions} functions`)
} else if (values.recipes) {
  const [word = ''] = positionals
  const chosen = recipes.filter(({ title }) => title.includes(word))
  if (chosen.length === 0) throw new Error(`No recipe has ${JSON.stringify(word)} in its title.`)
  const faults = performRecipes(chosen)
  for (const fault of faults) console.error(fault)
  for (const recipe of chosen) console.log(`${recipe.title}: ${filesTouched(recipe).length} files`)
  process.exitCode = faults.length > 0 ? 1 : 0
} else if (values.mutants) {
  const [word = ''] = positionals
  const chosen = mutants.filter(
    ({ file, decision, isFirst }) =>
      `${decision} ${file}`.includes(word) && (isFirst || !values.first),
  )
  const faults = faultsOfMutants()
  if (chosen.length === 0)
    faults.push(`No mutant has ${JSON.stringify(word)} in its decision or file.`)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  process.exitCode = (await runMutants(chosen)) ? 0 : 1
} else if (values.draw) {
  for (const { path, line, code, around } of drawConstants(20, Number(values.draw)))
    console.log([`${path}:${line}  ${code}`, ...around].join('\n    '))
} else if (values.times) {
  const checkouts = ['.', ...positionals]
  const times = await timePrograms(checkouts, Number(values.rounds))
  for (const [measure, byCheckout] of Object.entries(times)) {
    const medians = checkouts.map((one) => quantile(byCheckout[one], 0.5))
    const all = medians.map((ms) => `${ms.toFixed(0)} ms`).join(' against ')
    const ratio = medians.length > 1 ? `, ${(medians[0] / medians[1]).toFixed(2)} times` : ''
    console.log(`${measure}: ${all}${ratio}`)
  }
} else if (values.names) {
  const { params, aliases } = names()
  for (const line of [...params, ...aliases]) console.log(line)
  console.log(
    `Other names of params: ${params.length}. Aliases of bare properties: ${aliases.length}.`,
  )
} else if (values.lower) {
  for (const line of lowerLimits()) console.log(line)
} else if (values.picture) {
  writeFileSync('ARCHITECTURE.md', withPicture(readFileSync('ARCHITECTURE.md', 'utf8')))
} else if (values.replies) {
  const { count, different } = await compareReplies(['.', values.replies])
  for (const [asked, here, there] of different)
    console.log([asked, JSON.stringify(here), JSON.stringify(there)].join('\n  '))
  console.log(`${count} replies, ${different.length} of them different.`)
  process.exitCode = different.length > 0 ? 1 : 0
} else if (values.since) {
  const [before, now] = [sizesOf(values.since), sizesHere()]
  for (const [kind, count] of Object.entries(now))
    console.log(`${kind}: ${before[kind]} → ${count} (${count - before[kind]})`)
} else if (values.long) {
  for (const { name: packageName, long, branched } of packages)
    for (const { name, file, line, lines, branches } of new Set([...long, ...branched]))
      console.log(
        `${`${lines}`.padStart(4)} ${`${branches}`.padStart(3)}  ${packageName}/${file}:${line}  ${name}`,
      )
} else if (values.json) {
  const all = {
    packages,
    settingPlaces: settingPlaces(),
    names: names(),
    limits: limitsOf(packages),
  }
  process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
} else {
  const three = ({ median, p95, max }) => `${median}·${p95}·${max}`
  const rows = packages.map((it) => [
    it.name,
    it.files,
    it.lines,
    it.kinds.statements,
    three(it.fileLines),
    it.functions,
    three(it.functionLines),
    it.longFunctions,
    it.fileCycles.length,
    it.knots.flat().length,
    it.violations.length,
  ])
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0)
  rows.push(['all', ...[1, 2, 3].map(sum), '', sum(5), '', ...[7, 8, 9, 10].map(sum)])
  rows.unshift([
    'package',
    'files',
    'lines',
    'statements',
    'a file',
    'functions',
    'a function',
    '> 80',
    'cycles',
    'in knots',
    'upward',
  ])
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => `${row[column]}`.length)))
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? `${cell}`.padEnd(widths[0]) : `${cell}`.padStart(widths[column]),
        )
        .join('  '),
    )
  console.log('\nLines are median·p95·max. Cycles and knots count `import type` too.')
  const lines = packages.reduce((total, it) => total + it.lines, 0)
  const share = (kind) => {
    const count = packages.reduce((total, { kinds }) => total + kinds[kind], 0)
    return `${kind} ${count} (${((count / lines) * 100).toFixed(1)} %)`
  }
  console.log(`Of the lines: ${Object.keys(packages[0].kinds).map(share).join(', ')}.`)
  const branched = packages.flatMap((it) => it.branched)
  console.log(
    `Functions with more than 15 branches: ${branched.length}, at most ${Math.max(...branched.map(({ branches }) => branches))}.`,
  )
  const places = settingPlaces()
  console.log(
    `Places that declare a setting, at most: ${Math.max(...places.map((one) => one.places))}.`,
  )
  for (const { app, name, places: count } of places)
    if (count > 1) console.log(`  ${app} ${name}: ${count}`)
  for (const { name, fileCycles, knots, violations, strays, crowded } of packages) {
    const say = (what, list) =>
      list.length > 0 && console.log(`\n${name}: ${what}\n  ${list.join('\n  ')}`)
    say(
      'import one another',
      fileCycles.map((files) => files.join(', ')),
    )
    say(
      'folders in a knot',
      knots.map((folders) => folders.join(', ')),
    )
    say('import from a room after their own', violations)
    say('lie in no room', strays)
    say('have more than 40 importers', crowded)
  }
}
