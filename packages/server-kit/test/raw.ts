import { connect } from 'node:net'

export interface RawReply {
  /** 0 if the connection ended without an answer. */
  status: number
  text: string
}

/** Sends bytes as they are, and resolves with all that comes back until the connection ends. */
export function sendRaw(
  port: number,
  parts: string | readonly string[],
  { pauseMs = 0, maxAgeMs = 5_000 } = {},
): Promise<RawReply> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    const done = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text })
    }
    const timer = setTimeout(done, maxAgeMs)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('close', done).on('error', () => {})
    const list = typeof parts === 'string' ? [parts] : parts
    void (async () => {
      for (const part of list) {
        if (!socket.writable) return
        socket.write(part, 'latin1')
        if (pauseMs > 0) await new Promise((next) => setTimeout(next, pauseMs))
      }
    })()
  })
}

/** A request as a text, that ends its connection. */
export const asText = (
  line: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): string =>
  [
    `${line} HTTP/1.1`,
    ...Object.entries({ host: '127.0.0.1', connection: 'close', ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n')
