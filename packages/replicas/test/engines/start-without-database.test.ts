import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { freePort, hasPostgres, startPostgres } from '../../../../test/engines.ts'
import { openEngines } from '../../src/engines/engines.ts'

const clusterKey = randomBytes(32).toString('base64')
const open = (databaseUrl: string, isServed: boolean, onLog = (_: string): void => {}) =>
  openEngines({ databaseUrl, redisUrl: undefined, clusterKey, isServed }, onLog)

test('a command fails at once while the database is down', async () => {
  const url = `postgresql://postgres@127.0.0.1:${await freePort()}/postgres`
  await expect(open(url, false)).rejects.toThrow('cannot be used: connect ECONNREFUSED')
})

test.skipIf(!hasPostgres)(
  'a replica waits for a database that is down, but not for wrong settings',
  async () => {
    const engine = await startPostgres({ fsync: 'off' })
    await engine.kill()
    const logs: string[] = []
    const opening = open(engine.url, true, (text) => void logs.push(text))
    await expect
      .poll(() => logs)
      .toEqual([
        expect.stringContaining('The database cannot be used: connect ECONNREFUSED'),
        'The start waits for the database.',
      ])
    await engine.start()
    const engines = await opening
    await engines.close()
    expect(logs.slice(2)).toEqual(['The database can be used again.'])
    await expect(open(engine.url.replace(/postgres$/, 'none'), true)).rejects.toThrow('"none"')
    await expect(open(engine.url.replace('postgres@', 'nobody@'), true)).rejects.toThrow('nobody')
    await expect(open('postgresql://h.invalid/x', true)).rejects.toThrow('ENOTFOUND')
    await engine.stop()
  },
)
