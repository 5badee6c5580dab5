/** The tag of a component, and what stands behind it on its last line. */
export interface ComponentTag {
  text: string
  name: string
  isClosing: boolean
  /** It has no end tag. */
  isEmpty: boolean
  /** Lines that it takes. */
  lines: number
  /** Text behind it, where its end tag stands on the same line; undefined if there is none. */
  inner?: string
}

const mostLines = 20
const longest = 4_000

/** The tag of a component that stands alone in its lines, or around the rest of its line. */
export function tagAt(
  lines: readonly string[],
  at: number,
  line: string,
): ComponentTag | undefined {
  const [, slash, name] = /^\s*<(\/?)([A-Z][\w.]*)(?=[\s/>]|$)/.exec(line) ?? []
  if (name === undefined) return undefined
  let text = line.trim()
  for (let more = 1; ; more++) {
    const end = endOfTag(text)
    if (end > 0) return tagOf(text, end, name, slash === '/', more)
    if (more >= mostLines || at + more >= lines.length || text.length > longest) return undefined
    text += ` ${lines[at + more]?.trim()}`
  }
}

function tagOf(
  text: string,
  end: number,
  name: string,
  isClosing: boolean,
  lines: number,
): ComponentTag | undefined {
  const tag = text.slice(0, end)
  const rest = text.slice(end).trim()
  const found = { text: tag, name, isClosing, isEmpty: /\/>$/.test(tag), lines }
  if (rest === '') return found
  const close = `</${name}>`
  return !isClosing && !found.isEmpty && rest.endsWith(close)
    ? { ...found, inner: rest.slice(0, -close.length).trim() }
    : undefined
}

/** Behind the `>` of a tag, which attributes may contain; 0 if it does not end here. */
function endOfTag(text: string): number {
  let quote = ''
  let depth = 0
  for (let at = 1; at < text.length; at++) {
    const letter = text[at] as string
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'" || letter === '`') quote = letter
    else if (letter === '{') depth++
    else if (letter === '}') depth--
    else if (letter === '>' && depth <= 0) return at + 1
    else if (letter === '<') return 0
  }
  return 0
}
