import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/**
 * Constants that a decision names, and other faults of one line. `from` occurs once in `file`, and
 * each `to` replaces it. `tests` are words in the paths of the test files that must notice.
 */
const table = JSON.parse(readFileSync(new URL('mutants.json', import.meta.url), 'utf8'))

export const mutants = table.flatMap(({ to, ...row }) =>
  [to].flat().map((it) => ({ ...row, to: it })),
)

/** What cannot be replaced, because it occurs nowhere or more than once. */
export const faultsOfMutants = () =>
  mutants.flatMap(({ file, from, to }) => {
    const count = readFileSync(file, 'utf8').split(from).length - 1
    return count === 1 && from !== to ? [] : [`${file} has ${JSON.stringify(from)} ${count} times.`]
  })

/** Prints a line for each mutant. @throws {Error} if a test fails without one */
export async function runMutants(chosen, print) {
  const folder = mkdtempSync(join(tmpdir(), 'pith-mutants-'))
  try {
    await eachOfTwo([...new Set(chosen.map(({ project }) => project))], async (project) => {
      const rows = chosen.filter((row) => row.project === project)
      const { isPassed } = await runTests(folder, {
        project,
        tests: rows.flatMap((it) => it.tests),
      })
      if (!isPassed) throw new Error(`Without a mutant, tests of ${project} fail, or none runs.`)
    })
    const isCaught = await eachOfTwo(chosen, async (row) => {
      const { failed, isEnded, seconds } = await runTests(folder, row)
      const result = failed.length > 0 ? describe(failed) : isEnded ? 'MISSED: ended' : 'MISSED'
      const change = `${row.from} → ${row.to}`.replace(/\s+/g, ' ')
      print(`${row.decision} (${row.file}: ${change}): ${result}, ${seconds.toFixed(1)} s`)
      return failed.length > 0
    })
    const caught = isCaught.filter(Boolean).length
    return { caught, missed: isCaught.length - caught }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const describe = (failed) =>
  `caught by ${failed.length} ${failed.length === 1 ? 'test' : 'tests'} of ${[...new Set(failed)].join(', ')}`

/** At most two at once: each is a process of vitest with one worker. */
async function eachOfTwo(items, act) {
  const results = []
  let next = 0
  const work = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await act(items[at])
  }
  await Promise.all([work(), work()])
  return results
}

/**
 * Milliseconds of the clock: many times what any of the tests takes. A mutant that hangs is ended
 * then, with its worker, which is a thread. It counts as missed: no test says what is wrong.
 */
const timeout = 300_000

/** Only these say that a behaviour changed: a file that does not load does not, nor a timeout. */
const assertion = /^(?:AssertionError|Error: (?:Snapshot|Property failed))/

async function runTests(folder, { project, tests, ...mutant }) {
  const started = performance.now()
  const report = join(mkdtempSync(join(folder, 'run-')), 'report.json')
  const args = ['run', '--project', project, '--reporter=json', '--outputFile', report]
  const workers = ['--pool=threads', '--maxWorkers=1']
  // With CI, no missing snapshot is written.
  const env = { ...process.env, CI: 'true', LONG: '', MUTANT: JSON.stringify(mutant) }
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args, ...workers, ...new Set(tests)],
    { env, stdio: 'ignore', timeout, killSignal: 'SIGKILL' },
  )
  const [, signal] = await once(child, 'close')
  const seconds = (performance.now() - started) / 1000
  if (signal) return { failed: [], isEnded: true, seconds }
  const { success, numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'))
  const failed = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ failureMessages }) => failureMessages.some((text) => assertion.test(text)))
      .map(() => relative('.', name)),
  )
  return { isPassed: success && numPassedTests > 0, failed, seconds }
}
