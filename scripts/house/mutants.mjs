import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Constants that a decision names, and other faults of one line. `from` occurs once in `file`, and
 * each `to` replaces it. `tests` are words in the paths of the test files that must notice.
 */
const table = JSON.parse(readFileSync(new URL('mutants.json', import.meta.url), 'utf8'))

export const mutants = table.flatMap(({ to, ...row }) =>
  [to].flat().map((one, at) => ({ ...row, to: one, isFirst: at === 0 })),
)

/** What cannot be replaced, because it occurs nowhere or more than once. */
export const faultsOfMutants = () =>
  mutants.flatMap(({ file, from, to }) => {
    const count = readFileSync(file, 'utf8').split(from).length - 1
    return count === 1 && from !== to ? [] : [`${file} has ${JSON.stringify(from)} ${count} times.`]
  })

/** Prints a line for each mutant, and their number. True if a test notices each. */
export async function runMutants(chosen) {
  await eachOfTwo([...new Set(chosen.map(({ project }) => project))], async (project) => {
    const rows = chosen.filter((row) => row.project === project)
    const { isPassed, broken } = await runTests({
      project,
      tests: rows.flatMap(({ tests }) => tests),
    })
    if (!isPassed) throw new Error(`Without a mutant, tests of ${project} fail: ${broken}`)
  })
  let caught = 0
  await eachOfTwo(chosen, async (row) => {
    const { failed, why, seconds } = await runTests(row)
    if (failed.length > 0) caught++
    const tests = `${failed.length} ${failed.length === 1 ? 'test' : 'tests'}`
    const files = [...new Set(failed)].join(', ')
    const result = failed.length > 0 ? `caught by ${tests} of ${files}` : `MISSED${why}`
    const change = `${row.from} → ${row.to}`.replace(/\s+/g, ' ')
    console.log(`${row.decision} (${row.file}: ${change}): ${result}, ${seconds.toFixed(1)} s`)
  })
  console.log(`${caught} caught, ${chosen.length - caught} missed`)
  return caught === chosen.length
}

/** At most two at once: each is a process of vitest with one worker. */
async function eachOfTwo(items, act) {
  const left = items.values()
  const work = async () => {
    for (const item of left) await act(item)
  }
  await Promise.all([work(), work()])
}

/**
 * Milliseconds of the clock: many times what any of the tests takes. A mutant that hangs is ended
 * then, with its worker, which is a thread. It counts as missed: no test says what is wrong.
 */
const timeout = 300_000

/** Only these say that a behaviour changed: a file that does not load does not, nor a timeout. */
const assertion = /^(?:AssertionError|Error: (?:Snapshot|Property failed))|at _Assertion\.__VITEST_/

async function runTests({ project, tests, ...mutant }) {
  const started = performance.now()
  const args = ['run', '--project', project, '--reporter=json', '--pool=threads', '--maxWorkers=1']
  // With CI, no missing snapshot is written.
  const env = { ...process.env, CI: 'true', LONG: '', MUTANT: JSON.stringify(mutant) }
  const { killed, stdout } = await run(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args, ...new Set(tests)],
    { env, timeout, killSignal: 'SIGKILL', maxBuffer: 2 ** 28 },
  ).catch((error) => error)
  const seconds = (performance.now() - started) / 1000
  if (killed) return { failed: [], why: ': ended', broken: 'ended', seconds }
  const report = stdout.slice(stdout.lastIndexOf('{"numTotalTestSuites"'))
  const { success, numPassedTests, numTotalTests, testResults } = JSON.parse(report)
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ failureMessages }) => failureMessages.some((text) => assertion.test(text)))
      .map(() => relative('.', name)),
  )
  const broken = testResults.flatMap(({ name, status }) => (status === 'failed' ? [name] : []))
  const why = numTotalTests === 0 ? ': no test ran' : success ? '' : ': no assertion failed'
  return { isPassed: success && numPassedTests > 0, broken, failed, why, seconds }
}
