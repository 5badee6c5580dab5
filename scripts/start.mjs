// From a fresh clone to an answer: install, build, then one real question through a real server.
import { runStep } from './run-step.mjs'

process.env.TURBO_TELEMETRY_DISABLED = '1'

async function step(name, args) {
  console.log(`▸ ${name} …`)
  const code = await runStep('pnpm', args)
  if (code === 0) return
  console.error(`${name} failed: pnpm ${args.join(' ')} ended with ${code}.`)
  process.exit(1)
}

await step('Installing', ['install', '--frozen-lockfile', '--reporter=append-only'])
await step('Building', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'])
const { demonstrate } = await import('./demonstrate.mjs')
try {
  await demonstrate(process.argv[2], process.argv.slice(3).join(' '))
} catch (error) {
  console.error(`\nIt did not work: ${error.message}`)
  process.exit(1)
}
