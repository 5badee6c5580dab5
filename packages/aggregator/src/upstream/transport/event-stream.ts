/** An event of a `text/event-stream`. */
export interface StreamEvent {
  name?: string
  id?: string
  /** Milliseconds, as the server wrote them. */
  retry?: string
  data?: string
}

/** Characters of one event. A message is in memory several times while it is parsed. */
const maxLength = 64 * 1024 * 1024

/**
 * The events of a stream. The last one may lack its blank line, and JSON may stand there without
 * `data:`, in one line or over several.
 */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event: StreamEvent | undefined
  let bare = ''
  for await (const line of linesIn(body)) {
    // No line of JSON begins like this.
    if (/^(?:data|event|id|retry)?:/.test(line)) bare = ''
    if (bare !== '' || /^\s*[{[]/.test(line)) {
      bare = bounded(bare === '' ? line : `${bare} ${line}`)
      // Indented lines are within: parsing after each would take quadratic time.
      if (/^\s/.test(line) || !isJson(bare)) continue
      yield { ...event, data: bare }
      bare = ''
      event = undefined
    } else if (line !== '') event = withField(event, line)
    else if (event !== undefined) {
      yield event
      event = undefined
    }
  }
  if (bare !== '') yield { ...event, data: bare }
  else if (event !== undefined) yield event
}

function withField(event: StreamEvent | undefined, line: string): StreamEvent | undefined {
  const [, field = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? []
  if (field === 'event') return { ...event, name: value }
  if (field === 'id') return { ...event, id: value }
  if (field === 'retry') return { ...event, retry: value }
  if (field !== 'data') return event
  return { ...event, data: bounded(event?.data ? `${event.data}\n${value}` : value) }
}

/** A line ends with CR, LF or both. */
async function* linesIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let line = ''
  let isAfterCr = false
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true })
    // A line of many chunks is split once only.
    const lines = /[\r\n]/.test(text) ? text.split(/\r\n|\r|\n/) : [text]
    // Of CRLF over two chunks.
    if (isAfterCr && text.startsWith('\n')) lines.shift()
    if (text !== '') isAfterCr = text.endsWith('\r')
    lines[0] = bounded(line + (lines[0] ?? ''))
    line = lines.pop() ?? ''
    yield* lines
  }
  if (line !== '') yield line
}

function bounded(text: string): string {
  if (text.length > maxLength) throw tooLong()
  return text
}

const tooLong = (): Error => new Error(`it sent an event of more than ${maxLength} characters`)

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
