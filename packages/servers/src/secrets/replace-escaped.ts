/** One character escaped: JSON, UTF-8 in a URL or in strings of programs, HTML. */
const escapes =
  /\\(?:["\\/bfnrt]|u[\dA-F]{4}|x[CD][\dA-F]\\x[89AB][\dA-F]|xE[\dA-F](?:\\x[89AB][\dA-F]){2}|xF[0-7](?:\\x[89AB][\dA-F]){3}|x[\dA-F]{2})|%(?:[0-7][\dA-F]|[CD][\dA-F]%[\dA-F]{2}|E[\dA-F](?:%[\dA-F]{2}){2}|F[0-7](?:%[\dA-F]{2}){3})|&(?:#\d{1,9};?|#x[\dA-F]{1,8};?|amp;|lt;|gt;|quot;|apos;)/gi

const letters: Readonly<Record<string, string>> = {
  ...{ '\\b': '\b', '\\f': '\f', '\\n': '\n', '\\r': '\r', '\\t': '\t' },
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" },
}

/**
 * Replaces matches in a text whose characters may be escaped, each in its own way; or, with
 * `ignored`, that contains what does not count.
 */
export function replaceEscaped(
  text: string,
  pattern: RegExp,
  mark: string,
  ignored?: RegExp,
): string {
  const signs = ignored ?? escapes
  const meaning = ignored ? () => '' : unescaped
  const read = text.replace(signs, meaning)
  const matches = read === text ? [] : [...read.matchAll(pattern)]
  if (matches.length === 0) return text
  const sourceOf = sourcePositions(text, signs, meaning)
  let replaced = ''
  let end = 0
  for (const { index, 0: match } of matches) {
    replaced += text.slice(end, sourceOf(index)) + mark
    end = sourceOf(index + match.length)
  }
  return replaced + text.slice(end)
}

/** Where a position in the unescaped text is in its source; to be called in ascending order. */
function sourcePositions(
  text: string,
  signs: RegExp,
  meaning: (sign: string) => string,
): (index: number) => number {
  let read = 0
  let source = 0
  const rest = text.matchAll(signs)
  let next = rest.next().value
  return (index) => {
    while (next !== undefined && read + next.index - source < index) {
      read += next.index - source + meaning(next[0]).length
      source = next.index + next[0].length
      next = rest.next().value
    }
    return source + index - read
  }
}

function unescaped(sign: string): string {
  const kind = sign[1] ?? ''
  if (sign.startsWith('%') || /^\\x/i.test(sign)) {
    const hex = sign.replace(/%|\\x/gi, '')
    return hex.length === 2
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : Buffer.from(hex, 'hex').toString()
  }
  if (kind === 'u' || kind === 'U') return String.fromCharCode(Number.parseInt(sign.slice(2), 16))
  if (kind !== '#') return letters[sign.toLowerCase()] ?? kind
  const code = Number(sign.slice(2).replace(';', '').replace(/^x/i, '0x'))
  return code <= 0x10ffff ? String.fromCodePoint(code) : sign
}
