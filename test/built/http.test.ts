import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'http-built-'))
writeFileSync(join(folder, 'a.md'), '# A\n')
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(['code-mcp', 'docs-mcp'])('%s over HTTP', (name) => {
  const variable = `${name.replace('-', '_').toUpperCase()}_TOKEN`
  const serve = (address: string, env: Record<string, string> = {}) =>
    spawn(
      process.execPath,
      [resolve(`apps/${name}/dist/main.js`), '--http', address, '--no-cache', folder],
      {
        env: { ...process.env, [variable]: '', ...env },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    )

  test.each([
    ['SIGINT', {}, 200],
    ['SIGTERM', { [variable]: 'secret-token' }, 401],
  ] as const)('%s ends it with 0; with %j it answers %i', async (signal, env, status) => {
    const child = serve('127.0.0.1:0', env)
    let log = ''
    child.stderr.on('data', (data) => {
      log += data
    })
    await expect.poll(() => log).toMatch(/serving http.*\n/)
    const url = /http\S+/.exec(log)?.[0] ?? ''
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(reply.status).toBe(status)
    await reply.text()
    expect(log.includes(`set ${variable} to require a token`)).toBe(status === 200)
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  test('serves other machines only with a token', async () => {
    const child = serve('0.0.0.0:0')
    let log = ''
    child.stderr.on('data', (data) => {
      log += data
    })
    expect(await once(child, 'close')).toEqual([2, null])
    expect(log).toContain(
      `${name}: --http 0.0.0.0:0 can be reached by other machines. Set ${variable}`,
    )
  })
})
