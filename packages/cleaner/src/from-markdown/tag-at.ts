import { wordsOf } from '../tree/word-lists.ts'
/** The tag of a component, and the text after it on its last line. */
export interface ComponentTag {
  text: string
  isClosing: boolean
  /** A self-closing tag. */
  isEmpty: boolean
  lines: number
  /** Text between the tag and its end tag on the same line; undefined without an end tag there. */
  inner?: string
}

const maxLines = 20
const maxLength = 4_000

/** The tag of a component that is alone on its lines, or around the rest of its line. */
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
    if (end > 0) {
      const rest = text.slice(end).trim()
      const isEmpty = text.charAt(end - 2) === '/'
      const tag = { text: text.slice(0, end), isClosing: slash === '/', isEmpty, lines: more }
      const close = `</${name}>`
      if (rest === '') return tag
      if (tag.isClosing || isEmpty || !rest.endsWith(close)) return undefined
      return { ...tag, inner: rest.slice(0, -close.length).trim() }
    }
    if (more >= maxLines || at + more >= lines.length || text.length > maxLength) return undefined
    text += ` ${lines[at + more]?.trim()}`
  }
}

/**
 * The offset after the `>` of a tag, ignoring those in attributes; 0 if the tag does not end here.
 */
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

/** Components whose name is their label. */
const boxes = wordsOf('Caution Check Danger Important Info Note Success Tip Warning')
/** Attributes that contain the name of a parameter. */
const names = ['path', 'query', 'body', 'header', 'name']
const maxLabel = 300

/** The label of a component's tag: its title, its kind, or the parameter it describes. */
export function componentLabel(tag: string): string {
  const name = /^<([A-Z][\w.]*)/.exec(tag)?.[1] ?? ''
  if (/^(?:Param|Response|Property)(?:Field)?$/.test(name)) {
    const field = names.map((key) => attribute(tag, key)).find(Boolean)
    const stated = attribute(tag, 'type')
    // `Array<string>` would be parsed as a tag.
    const type = stated.includes('<') ? `\`${stated}\`` : stated
    const notes = [type, /\srequired(?=[\s/>=])/.test(tag) ? 'required' : ''].filter(Boolean)
    if (field) return `\`${field}\`${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`
  }
  const title = attribute(tag, 'title') || attribute(tag, 'label')
  if (title) return `**${title}**`
  return boxes.has(name) ? `**${name}:**` : ''
}

function attribute(tag: string, name: string): string {
  const match = new RegExp(`\\s${name}=\\{?(?:"([^"]*)"|'([^']*)'|\`([^\`]*)\`)`).exec(tag)
  return (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').slice(0, maxLabel)
}
