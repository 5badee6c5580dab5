import { createParser } from 'eventsource-parser'

/** Opens the stream of events. */
export type OpenStream = (
  signal: AbortSignal,
) => Promise<ReadableStream<Uint8Array> | null | undefined>

interface ReadEventsOptions {
  open: OpenStream
  onEvent: (name: string, data: string) => void
  signal: AbortSignal
  /** Milliseconds without a byte after which the connection counts as lost. */
  timeoutMs?: number
}

/** Characters of one event: longer ones are an error. */
const maxLength = 16 * 1024 * 1024

/** Reads Server-Sent Events until the stream ends. Rejects if the connection is lost or times out. */
export async function readEvents(options: ReadEventsOptions): Promise<void> {
  const { open, onEvent, signal, timeoutMs = 40_000 } = options
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const receive = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(new Error('No data was received.')), timeoutMs)
  }
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => onEvent(event, data),
    maxBufferSize: maxLength,
  })
  const decoder = new TextDecoder()
  receive()
  try {
    const body = await open(AbortSignal.any([signal, controller.signal]))
    if (!body) return
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      receive()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(timer)
    controller.abort()
  }
}
