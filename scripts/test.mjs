// The tiers of tests, each from a fresh clone.
//
//   npm test               format, types, language, and all tests that run from source
//   npm test -- WORDS      install, build, and run the test files whose path contains a word
//   npm run test:built     what needs a build: npm start, programs, archives, a browser, unused code, spelling
//   npm run test:long      the tests that take longer with LONG=1: real clients, more repetitions
//
// The last line is `N passed, N failed`. Each test counts one, and so does every other step.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { runStep, runStepQuietly } from './run-step.mjs'

// A missing snapshot must fail instead of being written.
process.env.CI = 'true'
process.env.TURBO_TELEMETRY_DISABLED = '1'
// Builds, unlike tests, may all run at the same time.
process.env.TURBO_CONCURRENCY = '10'

/** Test files that check LONG, or start engines: they do more with LONG=1. */
const longFiles = () =>
  ['test', ...folders('packages', 'test'), ...folders('apps', 'test')].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => join(folder, name))
      .filter((file) => /process\.env\['LONG'\]|test\/engines/.test(readFileSync(file, 'utf8'))),
  )
const folders = (room, inside) =>
  readdirSync(room)
    .map((name) => join(room, name, inside))
    .filter((folder) => existsSync(folder))
const asked = process.argv.slice(2)
const isLong = asked[0] === '--long'
const isBuilt = asked[0] === '--built'
const words = isLong || isBuilt ? asked.slice(1) : asked
/** Only what runs from source. */
const isSource = !isLong && !isBuilt && words.length === 0
if (isLong) {
  process.env.LONG = '1'
  words.unshift(...longFiles())
}
const names = isSource
  ? [...readdirSync('packages'), ...readdirSync('apps'), 'repo']
  : ['running', 'built', 'packed', 'browser']
const projects = names.map((name) => `--project=${name}`)

const report = mkdtempSync(join(tmpdir(), 'pith-report-'))
const startedAll = Date.now()
const total = { passed: 0, failed: 0, skipped: 0 }
const summary = []

async function step(name, command, args, { count = oneForTheStep, isParallel = false } = {}) {
  const title = `\n▸ ${name}\n`
  if (!isParallel) process.stdout.write(title)
  const started = Date.now()
  // Output of steps that run in parallel is printed in one piece at their end.
  const code = isParallel
    ? await runStepQuietly(command, args, (output) => process.stdout.write(title + output))
    : await runStep(command, args)
  const { passed, failed, skipped = 0 } = count(code)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  summary.push(`${failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  return failed === 0
}

/** The ten slowest files, and the sum of all times. */
function slowestFiles() {
  try {
    const { testResults } = JSON.parse(readFileSync(join(report, 'vitest.json'), 'utf8'))
    const files = testResults.map(({ name, startTime, endTime }) => ({
      name: relative('.', name),
      seconds: (endTime - startTime) / 1000,
    }))
    const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10)
    const sum = files.reduce((total, { seconds }) => total + seconds, 0)
    return [
      `\nThe slowest of ${files.length} test files, with ${sum.toFixed(0)} s in total:`,
      ...slowest.map(({ name, seconds }) => `  ${seconds.toFixed(1).padStart(6)} s  ${name}`),
    ]
  } catch {
    return []
  }
}

/** Processor time of ended child processes; known on Linux only. */
function processorTime() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    // cutime and cstime, in hundredths of a second; proc(5) counts them from 1, and two are cut off.
    const seconds = (Number(fields[13]) + Number(fields[14])) / 100
    return `, and ${seconds.toFixed(0)} s of processor time`
  } catch {
    return ''
  }
}

const oneForTheStep = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

function countTests(code) {
  try {
    const results = JSON.parse(readFileSync(join(report, 'vitest.json'), 'utf8'))
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results
    const failed = numFailedTests + (numFailedTests === 0 && numFailedTestSuites > 0 ? 1 : 0)
    // The runner can fail without a failed test.
    return {
      passed: numPassedTests,
      failed: failed === 0 && code !== 0 ? 1 : failed,
      skipped: numPendingTests,
    }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

const pnpm = (...args) => ['pnpm', args]

const gather = ['--dir', 'packages/code', 'exec', 'node', '../../scripts/grammars/gather.mjs']
const build = ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']
const ready =
  (await step('install', ...pnpm('install', '--frozen-lockfile'))) &&
  // From source, only the grammars of the code library are made.
  (await step(isSource ? 'grammars' : 'build', ...pnpm(...(isSource ? gather : build))))

/**
 * Checks use the processor while tests wait: in parallel they take hardly longer than the tests. What
 * was checked before, and did not change since, comes from turbo's cache.
 */
async function check() {
  const args = ['--concurrency=1', '--output-logs=new-only', '--continue']
  for (const name of isBuilt ? ['unused', 'spelling'] : ['format', 'types', 'language'])
    await step(name, ...pnpm('exec', 'turbo', 'run', name, ...args), { isParallel: true })
}

async function test() {
  const reporters = ['--reporter=default', '--reporter=json']
  const output = `--outputFile.json=${join(report, 'vitest.json')}`
  const chosen = isSource || isBuilt ? projects : []
  const args = pnpm('exec', 'vitest', 'run', ...words, ...chosen, ...reporters, output)
  await step('tests', ...args, { count: countTests })
}

if (ready) {
  // Not next to the tests: its build replaces files of dist/ that they start.
  if (isBuilt) await step('npm start', 'npm', ['start'])
  await Promise.all([words.length === 0 && check(), test()])
  summary.push(...slowestFiles())
}

rmSync(report, { recursive: true })
summary.push(`\nTotal: ${((Date.now() - startedAll) / 1000).toFixed(0)} s${processorTime()}.`)
if (isSource && !process.env.LIVE)
  summary.push(
    '– not run: the site adapters against the public sites; LIVE=1 npm test runs them too',
  )
console.log(`\n${summary.join('\n')}\n`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed === 0 ? 0 : 1
