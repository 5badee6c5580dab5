import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { readEvents } from '../web/api/read-events.ts'

const server = createServer()
afterEach(() => {
  server.removeAllListeners('request')
  server.closeAllConnections()
  server.close()
})

async function listen(answer: (response: ServerResponse) => void) {
  server.on('request', (_, response) => answer(response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async (signal: AbortSignal) => (await fetch(url, { signal })).body
}

const never = new AbortController().signal

test('events are read until they end, wherever they are cut', async () => {
  const bytes = Buffer.from(
    ': hello\n\nevent: lines\ndata: {"a":"é"}\n\nevent: changed\ndata: []\n\n',
  )
  const open = await listen(async (response) => {
    for (const byte of bytes) {
      response.write(Buffer.of(byte))
      await new Promise(setImmediate)
    }
    response.end()
  })
  const heard: string[][] = []
  await readEvents({ open, signal: never, onEvent: (...event) => heard.push(event) })
  expect(heard).toEqual([
    ['lines', '{"a":"é"}'],
    ['changed', '[]'],
  ])
})

test('silence is as good as an end, comments are not silent, and the connection is given up', async () => {
  let comments = 0
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  const open = await listen((response) => {
    const beat = setInterval(() => {
      if (++comments === 10) clearInterval(beat)
      response.write(':\n\n')
    }, 50)
  })
  await expect(
    readEvents({ open, signal: never, timeoutMs: 300, onEvent: () => undefined }),
  ).rejects.toThrow()
  expect(comments).toBe(10)
  await closed
})

test('whoever stops listening to what cannot be read closes it', async () => {
  const open = await listen((response) => response.write('event: lines\ndata: {\n\n'))
  const closed = new Promise<void>((resolve) =>
    server.once('connection', (socket) => socket.once('close', () => resolve())),
  )
  await expect(
    readEvents({ open, signal: never, onEvent: (_, data) => JSON.parse(data) }),
  ).rejects.toThrow(SyntaxError)
  await closed
})
