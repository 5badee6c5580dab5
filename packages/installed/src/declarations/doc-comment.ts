/** In characters: of one comment. */
const maxComment = 4_000

/** A documentation comment as Markdown. */
export function commentText(comment: string): string {
  const inner = comment.replace(/^\/\*\*/, '').replace(/\*\/\s*$/, '')
  const text = inner
    .slice(0, 2 * maxComment)
    .split('\n')
    .map((line, at) => (at === 0 ? line.trim() : line.replace(/^\s*\* ?/, '').trimEnd()))
    .join('\n')
    .replace(
      /\{@(?:link|linkcode|linkplain|inheritDoc)\s{0,9}([^{}|\s]*)(?:\s{0,9}[|\s]([^{}]*))?\}/g,
      (_, name, label) => (label ?? '').trim() || name,
    )
    .replace(/^@(?:example|remarks|description)[^\S\n]*/gm, '')
    .replace(
      /^@(param|property|returns?|throws|deprecated|default|since|see|typeParam|template)\b[^\S\n]*(.*)/gm,
      '- *$1* $2',
    )
    .replace(
      /^@(?:internal|alpha|beta|public|packageDocumentation|module|license|author)\b.*$/gm,
      '',
    )
    .trim()
  return withoutHeadings(short(text))
}

/** One that is cut has no end. */
const literal = /([a-zA-Z]*)("""|'''|"|')([\s\S]*?(?<!\\)(?:\\\\)*)(?:\2|$)/g
const escaped = /\\(?:(\n)|x([\da-f]{2})|u([\da-f]{4})|([\\'"abfnrtv]))/gi
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' }

/** The text of what documents a definition of Python: strings, or a comment `#:`; not of bytes. */
export function docstringText(documentation: string): string {
  if (documentation.startsWith('#:')) return documentation.slice(2).trim()
  const strings = [...documentation.matchAll(literal)]
  const inner = strings
    .filter(([, prefix = '']) => !/[bf]/i.test(prefix))
    .map(([, prefix = '', , text = '']) =>
      /r/i.test(prefix)
        ? text
        : text.replace(escaped, (_, line, hex, code, sign) =>
            line
              ? ''
              : sign
                ? (controls[sign] ?? sign)
                : String.fromCharCode(Number.parseInt(hex ?? code, 16)),
          ),
    )
    .join('')
  const [first = '', ...rest] = inner.split('\n')
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/))
  const indent = Math.min(...indents, 200)
  const unindented = [first.trim(), ...rest.map((line) => line.slice(indent).trimEnd())].join('\n')
  return withoutHeadings(short(unindented.trim()))
}

const short = (text: string): string =>
  text.length > maxComment
    ? `${text.slice(0, maxComment)}… (${text.length - maxComment} more characters in the file)`
    : text

/** Only exported names are sections. */
const withoutHeadings = (text: string): string =>
  text.replace(/^ {0,3}#{1,6}\s+(.*)$/gm, '**$1**').replace(/^ {0,3}(?:=+|-+)$/gm, '')
