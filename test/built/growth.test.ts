import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

test
  .runIf(process.env['LONG'] === '1' && existsSync('/proc/self/schedstat'))
  .each(['docs', 'code', 'aggregator'])(
  'no call of %s costs more where more is stored',
  (server) => {
    const args = ['bench/growth/run.mjs', server, '--rounds', '5', '--calls', '20']
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      timeout: 600_000,
    })
    console.log(stdout)
    expect(status, stdout + stderr).toBe(0)
  },
  600_000,
)
