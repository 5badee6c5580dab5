// Everything that has to hold, from a fresh clone: install, check, build, test, pack.
// The last line is `N passed, N failed`; tests count one each, every other step counts one.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runStep } from './run-step.mjs'

// A missing golden file has to fail, not to be written.
process.env.CI = 'true'
process.env.TURBO_TELEMETRY_DISABLED = '1'

const report = mkdtempSync(join(tmpdir(), 'pith-report-'))
const total = { passed: 0, failed: 0, skipped: 0 }
const summary = []

async function step(name, command, args, count = oneForTheStep) {
  console.log(`\n▸ ${name}`)
  const started = Date.now()
  const code = await runStep(command, args)
  const { passed, failed, skipped = 0 } = count(code)
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  summary.push(`${failed === 0 ? '✓' : '✗'} ${name} (${seconds} s)`)
  return failed === 0
}

const oneForTheStep = (code) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 })

function countTests(code) {
  try {
    const results = JSON.parse(readFileSync(join(report, 'vitest.json'), 'utf8'))
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = results
    const failed = numFailedTests + (numFailedTests === 0 && numFailedTestSuites > 0 ? 1 : 0)
    // A runner that fails for another reason than a test has failed all the same.
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
const packages = readdirSync('packages').map((name) => `packages/${name}`)
const apps = readdirSync('apps').map((name) => `apps/${name}`)

const ready =
  (await step('install', ...pnpm('install', '--frozen-lockfile'))) &&
  (await step('build', ...pnpm('exec', 'turbo', 'run', 'build', '--output-logs=errors-only')))
if (ready) {
  await step('npm start', 'npm', ['start'])
  await step('format and lint', ...pnpm('exec', 'biome', 'ci', '--error-on-warnings', '.'))
  await step('types', ...pnpm('exec', 'tsc'))
  await step('types of the console', ...pnpm('exec', 'tsc', '-p', 'packages/console/web'))
  await step('unused code', ...pnpm('exec', 'knip'))
  const reporters = ['--reporter=default', '--reporter=json']
  const output = `--outputFile.json=${join(report, 'vitest.json')}`
  await step('tests', ...pnpm('exec', 'vitest', 'run', ...reporters, output), countTests)
  for (const path of [...packages, ...apps])
    await step(`publint ${path}`, ...pnpm('exec', 'publint', '--strict', path))
  for (const path of packages)
    await step(
      `attw ${path}`,
      ...pnpm('exec', 'attw', '--quiet', '--pack', path, '--profile', 'esm-only'),
    )
}

rmSync(report, { recursive: true })
if (!process.env.LIVE)
  summary.push('– not run: the adapters at the public sites; LIVE=1 npm test asks those too')
console.log(`\n${summary.join('\n')}\n`)
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`)
process.exitCode = total.failed === 0 ? 0 : 1
