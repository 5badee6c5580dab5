import { escapeHtml } from '../../parts/escape-html.ts'
import type { Definitions } from './definitions.ts'
import { signs } from './signs.ts'

const fonts: Readonly<Record<string, string>> = {
  ...{ B: 'b', '3': 'b', BI: 'b', I: 'i', '2': 'i' },
  ...{ C: 'code', CW: 'code', CR: 'code', CB: 'code', CI: 'code', L: 'code' },
}

/** Escapes: of a font, a sign, those without text, those with a value in quotes, and all others. */
const escapes =
  /\\(?:f(?:\((?<font2>..)|\[(?<fontName>[^\]]{0,30})\]|(?<font1>.))|\((?<sign2>..)|\[(?<signName>[^\]]{0,60})\]|[FgkMmOVY](?:\(..|\[[^\]]{0,60}\]|[+-]?.)|s(?:'[^']{0,20}'|[+-]?(?:\(..|\[[^\]]{0,9}\]|\d{1,2}))|(?<kind>[ABbCDHhLlNoRSvXxZ])'(?<value>[^']{0,500})'|(?<character>.?))/g
/** What a backslash and this character stand for, where that is not the character. */
const simple = new Map([
  ...([
    ['e', '\\'],
    ['~', ' '],
    ['0', ' '],
    ['t', '\t'],
  ] as const),
  ...Array.from('&)|^/,%:cuzpad{}!?E', (sign) => [sign, ''] as const),
])

/** Text with the escapes of roff, as HTML. A font stays until it is changed or reset. */
export class RoffText {
  readonly definitions: Definitions
  /** Of a block of mdoc. */
  #base = ''
  #font = ''
  #previous = ''

  constructor(definitions: Definitions) {
    this.definitions = definitions
  }

  /** The font to which `reset` returns; without a name, that of the page. */
  setBase(name = ''): void {
    this.#base = fonts[name] ?? ''
    this.reset()
  }

  reset(): void {
    this.#font = this.#base
  }

  html(text: string): string {
    const parts: string[] = []
    let run = ''
    const endRun = () => {
      const html = escapeHtml(run)
      if (run !== '')
        parts.push(this.#font === '' ? html : `<${this.#font}>${html}</${this.#font}>`)
      run = ''
    }
    const source = this.definitions.interpolate(text)
    let at = 0
    for (const { index, 0: match, groups = {} } of source.matchAll(escapes)) {
      run += source.slice(at, index)
      at = index + match.length
      const font = groups['font2'] ?? groups['fontName'] ?? groups['font1']
      if (font === undefined) run += this.#sign(match, groups)
      else {
        endRun()
        this.setFont(font)
      }
    }
    run += source.slice(at)
    endRun()
    return parts.join('')
  }

  /** The text in one font. */
  inFont(font: string, text: string): string {
    this.#font = fonts[font] ?? this.#base
    const html = this.html(text)
    this.reset()
    return html
  }

  /** Without fonts, for code and titles. */
  plain(text: string): string {
    this.reset()
    return this.html(text).replace(/<\/?(?:b|i|code)>/g, '')
  }

  setFont(name: string): void {
    const next = name === 'P' || name === '' ? this.#previous : (fonts[name] ?? this.#base)
    this.#previous = this.#font
    this.#font = next
  }

  /** What an escape stands for; a sign of an unknown name stays as it is written, and is counted. */
  #sign(match: string, groups: Record<string, string | undefined>): string {
    const { sign2, signName, kind, value = '', character } = groups
    const name = sign2 ?? signName ?? (kind === 'C' ? value : undefined)
    if (name !== undefined) {
      const sign = signs.get(name) ?? composed(name)
      if (sign === undefined) this.definitions.unread('unknown sign')
      return sign ?? match
    }
    if (kind === 'N') return characterOf(Number(value))
    // Signs over one another, and text that takes no place.
    if (kind && /[boZ]/.test(kind)) return value
    return kind ? '' : (simple.get(character ?? '') ?? character ?? '')
  }
}

/** `u20AC`, `u0041_0301`, `char65`. */
function composed(name: string): string | undefined {
  const [, decimal] = /^char(\d{1,3})$/.exec(name) ?? []
  if (decimal) return characterOf(Number(decimal))
  if (!/^u[\dA-F]{4,6}(?:_[\dA-F]{4,6}){0,5}$/.test(name)) return undefined
  const codes = name.slice(1).split('_')
  return codes
    .map((code) => characterOf(Number.parseInt(code, 16)))
    .join('')
    .normalize('NFC')
}

const characterOf = (code: number): string =>
  code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
