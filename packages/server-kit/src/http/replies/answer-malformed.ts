import type { ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const answers: Readonly<Record<string, readonly [status: number, text: string, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'long_headers'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'Payload Too Large', 'long_body'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'slow_request'],
}

/**
 * Ends the connection of a malformed request. Returns the answer and its reason; undefined if the
 * peer has disconnected or has been answered.
 */
export function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  running: ServerResponse | undefined,
): { status: number; reason: string } | undefined {
  const code = error.code ?? ''
  const isTheirs = code.startsWith('HPE_') || code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const isAnswered = running?.headersSent === true && !running.req.complete
  if (!isTheirs || code === 'HPE_INVALID_EOF_STATE') {
    socket.destroy()
    return undefined
  }
  // A peer that does not read the answer, or keeps sending, is not waited for.
  const timer = setTimeout(() => socket.destroy(), 1_000)
  socket.once('close', () => clearTimeout(timer))
  if (isAnswered) {
    socket.end()
    return undefined
  }
  const [status, text, reason] = answers[code] ?? [400, 'Bad Request', 'malformed']
  // Within an unfinished reply it would be taken for a part of it.
  if (running?.headersSent === true && !running.writableFinished) socket.destroy()
  else if (socket.writable)
    socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  return { status, reason }
}
