import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Engine,
  hasPostgres,
  hasRedis,
  startPostgres,
  startRedis,
} from '../../../../test/engines.ts'
import { configure, odd } from '../running/aggregator-process.ts'

let engines: Engine[] = []
beforeAll(async () => {
  if (hasPostgres && hasRedis)
    engines = await Promise.all([startPostgres({ fsync: 'off' }), startRedis()])
})
afterAll(() => Promise.all(engines.map((engine) => engine.stop())))

/** In their order; each succeeds. */
const commands = [
  'migrate',
  'list',
  'tools a',
  'search hash',
  'call a hash {"text":"x"}',
  'pin',
  'pin list a',
  'token create quiet --json',
  'token create loud',
  'token list',
  'token revoke quiet',
  'token revoke loud',
  'stats',
  'stats --lists',
  'journal',
  'journal --format csv',
  'journal verify',
  'doctor',
  'remove a',
  'add a -- node x',
  'status',
]

describe.skipIf(!hasPostgres || !hasRedis)('with engines', () => {
  test('a command that succeeds writes no error', { timeout: 300_000 }, () => {
    const own = configure({ a: odd() })
    const [main = '', ...flags] = own.args
    const env = {
      ...process.env,
      HOME: own.folder,
      PITH_DATABASE_URL: engines[0]?.url,
      PITH_REDIS_URL: engines[1]?.url,
      PITH_CLUSTER_KEY: randomBytes(32).toString('base64'),
    }
    const said = commands.map((command) => {
      const words = command.split(' ')
      const at = words.includes('--') ? words.indexOf('--') : words.length
      const argv = [main, ...words.slice(0, at), ...flags, ...words.slice(at)]
      const { stderr, status } = spawnSync(process.execPath, argv, { encoding: 'utf8', env })
      return [command, stderr, status]
    })
    own.remove()
    expect(said).toEqual(commands.map((command) => [command, '', command === 'status' ? 1 : 0]))
  })
})
