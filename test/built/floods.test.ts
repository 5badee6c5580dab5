import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type RequestOptions, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'floods-'))
const config = join(folder, 'one.json')
writeFileSync(config, '{"mcpServers":{}}')
afterAll(() => rmSync(folder, { recursive: true }))

const token = 'the-token-of-the-owner'
const doors = {
  'aggregator-mcp': ['--config', config, '--no-state'],
  'docs-mcp': ['--no-cache'],
  'code-mcp': ['--no-cache', folder],
}
type Door = keyof typeof doors
const variableOf = (door: Door): string => `${door.toUpperCase().replaceAll('-', '_')}_TOKEN`

let child: ChildProcess | undefined
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  child?.kill('SIGKILL')
})

function start(door: Door, env: Record<string, string>): Promise<number> {
  const main = resolve(`apps/${door}/dist/main.js`)
  const started = spawn(process.execPath, [main, '--http', '0', ...doors[door]], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  child = started
  return new Promise((found, failed) => {
    let said = ''
    started.stderr.on('data', (text) => {
      said += text
      const port = /127\.0\.0\.1:(\d+)/.exec(said)?.[1]
      if (port !== undefined) found(Number(port))
    })
    started.once('exit', () => failed(new Error(said)))
  })
}

/** On a connection of its own; 0 if there is no answer. */
const ask = (port: number, options: RequestOptions = {}): Promise<number> =>
  new Promise((answered) => {
    request({ port, path: '/healthz', agent: false, ...options }, (response) =>
      answered(response.resume().statusCode ?? 0),
    )
      .on('error', () => answered(0))
      .end()
  })

const asOwner: RequestOptions = {
  path: '/mcp',
  method: 'DELETE',
  headers: { authorization: `Bearer ${token}` },
}
const halfOf = (path: string) => (port: number) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nOrigin: http://127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`
const floods = {
  idle: () => '',
  'half a head': () => 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n',
  'half a body': halfOf('/mcp'),
  'half of a sign-in': halfOf('/api/v1/session'),
  'keep-alive': () => 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
}

const all = Object.keys(doors) as Door[]
/** The doors are the same program part: one of them is flooded without a credential, too. */
const cases = [true, false]
  .flatMap((isSecured) =>
    all.flatMap((door) => Object.keys(floods).map((flood) => ({ door, flood, isSecured }))),
  )
  .filter(({ door, flood, isSecured }) =>
    door === 'aggregator-mcp'
      ? isSecured || flood !== 'idle'
      : isSecured && flood !== 'half of a sign-in',
  )

describe.runIf(process.env['LONG'] === '1')('2,050 connections of one address', () => {
  test.each(cases)(
    '$flood do not shut $door, with a credential: $isSecured',
    async ({ door, flood, isSecured }) => {
      const port = await start(door, isSecured ? { [variableOf(door)]: token } : {})
      const text = floods[flood as keyof typeof floods](port)
      for (let n = 0; n < 2_050; n++) {
        const socket = connect(port, '127.0.0.1')
          .on('error', () => {})
          .resume()
        socket.write(text)
        sockets.push(socket)
        if (n % 100 !== 99) continue
        expect(await ask(port)).toBe(200)
        expect([0, 401, 429]).not.toContain(await ask(port, asOwner))
      }
      for (let n = 0; n < 20; n++) expect(await ask(port)).toBe(200)
    },
    60_000,
  )
})

test.each(all)('%s answers 405 to methods that it does not have', async (door) => {
  const port = await start(door, { [variableOf(door)]: token })
  for (const method of ['TRACE', 'PUT', 'PATCH'])
    expect([method, await ask(port, { ...asOwner, method })]).toEqual([method, 405])
})

test.each(all)('%s reads its token from a file', async (door) => {
  const path = join(folder, 'token')
  writeFileSync(path, `${token}\n`)
  const port = await start(door, { [`${variableOf(door)}_FILE`]: path })
  expect(await ask(port, { ...asOwner, headers: {} })).toBe(401)
  expect(await ask(port, asOwner)).not.toBe(401)
})
