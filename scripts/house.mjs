// Structure of the code: sizes, import cycles, and the order of the rooms of each package.
//
//   pnpm house             one line per package, then violations of the rules
//   pnpm house --json      the same as JSON
//   pnpm house --long      each function over 80 lines: lines, name, file and line
//   pnpm house --twins     functions, classes and types that occur in two packages
//   pnpm house --times [CHECKOUT] [--rounds N]
//                          time the built programs: start, call, read pages; with another built
//                          checkout, both alternately, and the ratio of the medians
//
// The order of rooms is scripts/house/rooms.json; test/layers.test.ts checks it.
import { parseArgs } from 'node:util'
import { quantile } from './house/graph.mjs'
import { settingPlaces } from './house/setting-places.mjs'
import { sharedLines } from './house/shared-lines.mjs'
import { survey } from './house/survey.mjs'
import { timePrograms } from './house/time-programs.mjs'
import { twins } from './house/twins.mjs'

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'boolean' },
    long: { type: 'boolean' },
    times: { type: 'boolean' },
    twins: { type: 'boolean' },
    rounds: { type: 'string', default: '9' },
    help: { type: 'boolean', short: 'h' },
  },
  allowPositionals: true,
})
const packages = values.help || values.times || values.twins ? [] : survey()
if (values.help) {
  console.log('pnpm house [--json | --long | --twins | --times [CHECKOUT] [--rounds N]]')
} else if (values.times) {
  const checkouts = ['.', ...positionals]
  const times = await timePrograms(checkouts, Number(values.rounds))
  for (const [measure, byCheckout] of Object.entries(times)) {
    const medians = checkouts.map((one) => quantile(byCheckout[one], 0.5))
    const all = medians.map((ms) => `${ms.toFixed(0)} ms`).join(' against ')
    const ratio = medians.length > 1 ? `, ${(medians[0] / medians[1]).toFixed(2)} times` : ''
    console.log(`${measure}: ${all}${ratio}`)
  }
} else if (values.twins) {
  const { sameName, sameTokens } = twins()
  const print = (what, places) => console.log(`${[what, ...places].join('\n  ')}\n`)
  for (const { name, places } of sameName) print(name, places)
  for (const { names, places } of sameTokens) print(`${names.join(', ')}: the same tokens`, places)
  console.log(`Names of twins: ${sameName.length}. The same under two names: ${sameTokens.length}.`)
} else if (values.long) {
  for (const { name: packageName, long } of packages)
    for (const { name, file, line, lines } of long)
      console.log(`${`${lines}`.padStart(4)}  ${packageName}/${file}:${line}  ${name}`)
} else if (values.json) {
  const all = {
    packages,
    sharedLines: sharedLines(),
    settingPlaces: settingPlaces(),
    twins: twins(),
  }
  process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
} else {
  const three = ({ median, p95, max }) => `${median}·${p95}·${max}`
  const rows = packages.map((it) => [
    it.name,
    it.files,
    it.lines,
    three(it.fileLines),
    it.functions,
    three(it.functionLines),
    it.longFunctions,
    it.fileCycles.length,
    it.knots.flat().length,
    it.violations.length,
  ])
  const sum = (column) => rows.reduce((total, row) => total + row[column], 0)
  rows.push(['all', sum(1), sum(2), '', sum(4), '', sum(6), sum(7), sum(8), sum(9)])
  rows.unshift([
    'package',
    'files',
    'lines',
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
  const shared = sharedLines()
  console.log(
    `Lines that apps share: ${shared.reduce((total, { lines }) => total + lines.length, 0)}.`,
  )
  for (const { path, lines } of shared) console.log(`  ${path}: ${lines.join(', ')}`)
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
