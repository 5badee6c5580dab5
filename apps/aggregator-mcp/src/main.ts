#!/usr/bin/env node
import { runShim } from './shared/shim.ts'

/** Options with which a process serves for itself. */
const alone = ['--http', '--no-share', '--help', '--version']
/** Variables with which it does. Engines are shared by replicas, which are processes of their own. */
const aloneVariables = ['PITH_DATABASE_URL', 'PITH_REDIS_URL']

function isShared(): boolean {
  const { argv, env, stdin } = process
  const { AGGREGATOR_MCP_SHARE: share = '' } = env
  const words = argv.slice(2)
  return (
    (words[0] ?? '-').startsWith('-') &&
    !words.some((word) => /^-[hv]/.test(word) || alone.includes(word.split('=', 1)[0] ?? '')) &&
    !aloneVariables.some((name) => env[name]) &&
    !/^(?:off|false|no|0)$/i.test(share) &&
    !stdin.isTTY
  )
}

if (isShared())
  await runShim(import.meta.url).catch(async (error: Error) => {
    process.stderr.write(
      `aggregator-mcp: ${error.message}: this client has a process of its own.\n`,
    )
    await import('./program.ts')
  })
else await import('./program.ts')
