// Run turbo, after an install in a fresh clone.
//
//   npm run turbo -- test --filter @pith-mcp/cleaner
import { existsSync } from 'node:fs'
import { runStep } from './run-step.mjs'

const install = ['install', '--frozen-lockfile']
const turbo = ['exec', 'turbo', ...process.argv.slice(2)]
const steps = existsSync('node_modules/.bin/turbo') ? [turbo] : [install, turbo]
for (const args of steps) process.exitCode ||= await runStep('pnpm', args, { stdio: 'inherit' })
