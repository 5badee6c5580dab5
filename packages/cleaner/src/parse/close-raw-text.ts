const opening = /<!--|<(iframe|noembed|noframes|script|style|textarea|title)(?=[\s/>])/gi
/** Where code without an end tag ends: at a line that begins with a tag. */
const lineOfTag = /\n[^\S\n]{0,99}(?=<[/!]?[a-z])/gi
const anyTag = /<[/!]?[a-z]/gi

/**
 * Add end tags to elements of raw text that lack one, and would contain the rest of the page. What
 * is written as XML, `<script src="a"/>`, is empty, unless its end tag follows.
 */
export function closeRawText(document: string): string {
  const parts: string[] = []
  /** Names of which no end tag follows. */
  const unclosed = new Set<string>()
  let copied = 0
  opening.lastIndex = 0
  for (let match = opening.exec(document); match; match = opening.exec(document)) {
    const [, name] = match
    const end = name
      ? endOfTag(document, opening.lastIndex)
      : document.indexOf('-->', opening.lastIndex) + 3
    if (end < opening.lastIndex) break
    opening.lastIndex = name ? close(name.toLowerCase(), end) : end
  }
  return copied === 0 ? document : parts.join('') + document.slice(copied)

  /** Where the content ends; adds the end tag if it has none. */
  function close(name: string, from: number): number {
    const isSelfClosing = document.charAt(from - 2) === '/'
    const endTag = unclosed.has(name) ? undefined : tagsOf(name, from, isSelfClosing)
    if (endTag) return endTag.index
    if (!isSelfClosing) unclosed.add(name)
    const at = isSelfClosing ? from : endOfText(name, from)
    parts.push(document.slice(copied, at), `</${name}>`)
    copied = at
    return at
  }

  /** The end tag of an element; of a self-closed one, only if no other such element opens before. */
  function tagsOf(name: string, from: number, isSelfClosing: boolean) {
    const tags = new RegExp(`<${isSelfClosing ? '/?' : '/'}${name}(?=[\\s/>])`, 'gi')
    tags.lastIndex = from
    const first = tags.exec(document)
    return first?.[0].startsWith('</') ? first : undefined
  }

  function endOfText(name: string, from: number): number {
    const isCode = name === 'script' || name === 'style'
    const next = isCode ? lineOfTag : anyTag
    next.lastIndex = from
    return next.exec(document)?.index ?? document.length
  }
}

/** The end of a start tag; -1 if it has none. */
function endOfTag(document: string, from: number): number {
  let quote = ''
  for (let index = from; index < document.length; index++) {
    const character = document.charAt(index)
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '>') return index + 1
    // A quotation mark opens a value only after the equals sign.
    else if (character === '"' || character === "'")
      quote = /=\s*$/.test(document.slice(Math.max(from, index - 9), index)) ? character : ''
  }
  return -1
}
