/** Values are parsed out of scripts; scripts are never run. */

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
}

/**
 * The string literal whose opening quote is at `at`; undefined if it does not end or is computed.
 */
export function stringAt(script: string, at: number): string | undefined {
  const quote = script[at] ?? ''
  if (!/['"`]/.test(quote)) return undefined
  const special = quote === '`' ? /[`\\]|\$\{/g : quote === "'" ? /['\\]/g : /["\\]/g
  let text = ''
  let from = at + 1
  for (;;) {
    special.lastIndex = from
    const match = special.exec(script)
    if (!match || match[0] === '${') return undefined
    text += script.slice(from, match.index)
    if (match[0] === quote) return text
    const { value, length } = escaped(script.slice(match.index + 1, match.index + 12))
    text += value
    from = match.index + 1 + length
  }
}

function escaped(rest: string): { value: string; length: number } {
  const code = /^(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/i.exec(rest)
  if (code) {
    const [match, long, short, byte] = code
    const point = Number.parseInt(long ?? short ?? byte ?? '0', 16)
    return { value: String.fromCodePoint(Math.min(point, 0x10ffff)), length: match.length }
  }
  const end = /^(?:\r\n|[\n\r\u2028\u2029])/.exec(rest)
  if (end) return { value: '', length: end[0].length }
  const [letter = ''] = rest
  return { value: escapes[letter] ?? letter, length: letter.length }
}

/** The JSON that a script passes to `JSON.parse`, assigns or passes to a function. */
export function jsonIn(script: string): unknown {
  const text = script.replace(/^\uFEFF/, '').trim()
  if (text.startsWith('{') || text.startsWith('[')) return JSON.parse(text)
  const call = /JSON\.parse\(\s*/.exec(text)
  const quoted = call && stringAt(text, call.index + call[0].length)
  if (quoted) return JSON.parse(quoted)
  const start = text.search(/[[{]/)
  const end = text.lastIndexOf(text[start] === '[' ? ']' : '}')
  return JSON.parse(text.slice(start, end + 1))
}

/** Parse JSON whose keys may be unquoted. */
export function looseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|([A-Za-z_$][\w$]*)(?=\s*:)/g, (token, key?: string) =>
        key ? `"${key}"` : token,
      ),
    )
  }
}
