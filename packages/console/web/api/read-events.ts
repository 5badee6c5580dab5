import { createParser } from 'eventsource-parser'

interface ReadEventsOptions {
  open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array> | null | undefined>
  onEvent: (name: string, data: string) => void
  signal: AbortSignal
  /** Milliseconds without a byte after which nobody is there. */
  silence?: number
}

/** Of one event, in characters. */
const longest = 16 * 1024 * 1024

/** Reads Server-Sent Events until they end. Rejects when they break off, or fall silent. */
export async function readEvents(options: ReadEventsOptions): Promise<void> {
  const { open, onEvent, signal, silence = 40_000 } = options
  const own = new AbortController()
  let waiting: ReturnType<typeof setTimeout> | undefined
  const hear = () => {
    clearTimeout(waiting)
    waiting = setTimeout(() => own.abort(new Error('Nothing came.')), silence)
  }
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => onEvent(event, data),
    maxBufferSize: longest,
  })
  const decoder = new TextDecoder()
  hear()
  try {
    const body = await open(AbortSignal.any([signal, own.signal]))
    if (!body) return
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      hear()
      parser.feed(decoder.decode(value, { stream: true }))
    }
  } finally {
    clearTimeout(waiting)
    own.abort()
  }
}
