import { Parser } from 'htmlparser2'

const maxLength = 2_000

/** Plain text on one line, from a service's HTML with highlighted matches. */
export function plainText(value: unknown, limit: number = maxLength): string {
  if (typeof value !== 'string' || value === '') return ''
  const bounded = value.slice(0, limit * 8)
  const text = /[<&]/.test(bounded) ? withoutMarkup(bounded) : bounded
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, limit)
}

function withoutMarkup(html: string): string {
  let text = ''
  let hidden = 0
  const isHidden = (name: string) => name === 'script' || name === 'style'
  const parser = new Parser({
    onopentag(name) {
      if (isHidden(name)) hidden++
      // A block separates words; highlighting does not.
      if (/^(?:p|div|br|li|tr|td|h[1-6])$/.test(name)) text += ' '
    },
    onclosetag(name) {
      if (isHidden(name)) hidden--
    },
    ontext(part) {
      if (hidden === 0) text += part
    },
  })
  parser.end(html)
  return text
}
