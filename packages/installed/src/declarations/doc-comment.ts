/** In characters: of one comment. */
const maxComment = 4_000

/** Lines above a declaration that are searched for the start of its comment. */
const maxLines = 2_000

/** The documentation comment that ends above a line, counted from 1, as Markdown; empty without one. */
export function commentAbove(lines: readonly string[], line: number): string {
  let end = line - 2
  while (/^\s*(?:@\w|$)/.test(lines[end] ?? '-')) end--
  const last = lines[end] ?? ''
  if (!/\*\/\s*$/.test(last)) return ''
  let start = end
  while (start > Math.max(0, end - maxLines) && !/\/\*/.test(lines[start] ?? '')) start--
  const text = lines.slice(start, end + 1).join('\n')
  return /\/\*\*/.test(text) ? commentText(text) : ''
}

function commentText(comment: string): string {
  const inner = comment.slice(comment.indexOf('/**') + 3).replace(/\*\/\s*$/, '')
  const text = inner
    .slice(0, 2 * maxComment)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
    .join('\n')
    .replace(
      /\{@(?:link|linkcode|linkplain|inheritDoc)\s{0,9}([^{}|\s]*)(?:[|\s]([^{}]*))?\}/g,
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

/** The docstring in the lines of a definition of Python; empty without one. */
export function docstringIn(lines: readonly string[]): string {
  const at = lines.findIndex((line) => /^\s*[rRuU]?("""|'''|"(?!")|'(?!'))/.test(line))
  const before = lines.slice(0, Math.max(0, at)).join('\n').trimEnd()
  if (at < 0 || (at > 0 && !/:\s*(?:#.*)?$/.test(before))) return ''
  const text = lines.slice(at).join('\n')
  const [, , inner = ''] = /^\s*[rRuU]?("""|'''|"|')([\s\S]*?)\1/.exec(text) ?? []
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
