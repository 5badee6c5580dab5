import { Parser } from 'htmlparser2'

const longest = 2_000

/** Text that a service gives as HTML, with marks of what matched: without markup, on one line. */
export function plainText(value: unknown, most: number = longest): string {
  if (typeof value !== 'string' || value === '') return ''
  const bounded = value.slice(0, most * 8)
  const text = /[<&]/.test(bounded) ? withoutMarkup(bounded) : bounded
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, most)
}

function withoutMarkup(html: string): string {
  let text = ''
  let hidden = 0
  const isHidden = (name: string) => name === 'script' || name === 'style'
  const parser = new Parser(
    {
      onopentag(name) {
        if (isHidden(name)) hidden++
        // Words on both sides of a block are two; those around a mark are one.
        if (/^(?:p|div|br|li|tr|td|h[1-6])$/.test(name)) text += ' '
      },
      onclosetag(name) {
        if (isHidden(name)) hidden--
      },
      ontext(part) {
        if (hidden === 0) text += part
      },
    },
    { decodeEntities: true },
  )
  parser.end(html)
  return text
}
