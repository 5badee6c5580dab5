import { escapeHtml } from '../../parts/escape-html.ts'

/** Of a string that a page defines, and of all uses of such strings. */
const maxString = 500
const maxExpanded = 2 ** 20

/** Signs by their names: `\(em`, `\[lq]`. */
const signs = new Map(
  `em — en – hy - mi − bu • co © rg ® tm ™ aq ' dq " lq “ rq ” oq ‘ cq ’ Bq „ bq ‚ Fo « Fc » fo ‹ fc ›
  ha ^ ti ~ rs \\ sl / at @ sh # bv | ba | or | br │ ga \` aa ´ lB [ rB ] lC { rC } la ⟨ ra ⟩ sq □ OK ✓
  -> → <- ← <> ↔ ua ↑ da ↓ rA ⇒ lA ⇐ +- ± mu × di ÷ de ° sc § dg † dd ‡ ct ¢ Po £ Ye ¥ Eu € >= ≥ <= ≤
  != ≠ == ≡ ~~ ≈ if ∞ sr √ pl + eq = ** ∗ no ¬ *m μ *p π *a α *b β *D Δ 12 ½ 14 ¼ 34 ¾ ss ß ae æ AE Æ
  o/ ø O/ Ø :a ä :o ö :u ü :A Ä :O Ö :U Ü 'e é 'a á 'i í 'o ó 'u ú \`e è \`a à ^e ê ,c ç ~n ñ oa å oA Å`
    .trim()
    .split(/\s+/)
    .flatMap((name, at, all) => (at % 2 === 0 ? [[name, all[at + 1] ?? ''] as const] : [])),
)

const fonts: Readonly<Record<string, string>> = {
  ...{ B: 'b', '3': 'b', BI: 'b', I: 'i', '2': 'i' },
  ...{ C: 'code', CW: 'code', CR: 'code', CB: 'code', CI: 'code', L: 'code' },
}

const stringUse = /\\\*(?:\((..)|\[([^\]]{0,60})\]|(.))/g
/** Escapes: of a font, a sign, those without text, those with a value in quotes, and all others. */
const escapes =
  /\\(?:f(?:\((?<font2>..)|\[(?<fontName>[^\]]{0,30})\]|(?<font1>.))|\((?<sign2>..)|\[(?<signName>[^\]]{0,60})\]|[nFgkMmOVY*](?:\(..|\[[^\]]{0,60}\]|[+-]?.)|s(?:[+-]?(?:\(..|\[[^\]]{0,9}\]|\d{1,2}))|(?<kind>[ABbDHhLlNoRSvwXxZ])'(?<value>[^']{0,500})'|(?<character>.?))/g
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
  /** Strings that the page defines. */
  readonly #strings = new Map([
    ['lq', '“'],
    ['rq', '”'],
    ['R', '®'],
    ['Tm', '™'],
  ])
  #font = ''
  #previous = ''
  #expanded = 0

  define(name: string, value: string): void {
    if (this.#strings.size < 1_000) this.#strings.set(name, value.slice(0, maxString))
  }

  reset(): void {
    this.#font = ''
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
    const source = text.replace(stringUse, (_, pair, long, sign) =>
      this.#string(pair ?? long ?? sign),
    )
    let at = 0
    for (const { index, 0: match, groups = {} } of source.matchAll(escapes)) {
      run += source.slice(at, index)
      at = index + match.length
      const font = groups['font2'] ?? groups['fontName'] ?? groups['font1']
      if (font === undefined) run += signOf(groups)
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
    this.#font = fonts[font] ?? ''
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
    const next = name === 'P' || name === '' ? this.#previous : (fonts[name] ?? '')
    this.#previous = this.#font
    this.#font = next
  }

  #string(name: string): string {
    const value = this.#strings.get(name) ?? ''
    this.#expanded += value.length
    return this.#expanded > maxExpanded ? '' : value
  }
}

function signOf(groups: Record<string, string | undefined>): string {
  const { sign2, signName, kind, value = '', character } = groups
  const sign = sign2 ?? signName
  if (sign !== undefined) {
    const [, code] = /^u([\dA-F]{4,6})$/.exec(sign) ?? []
    return code ? characterOf(Number.parseInt(code, 16)) : (signs.get(sign) ?? '')
  }
  if (kind !== undefined) return kind === 'N' ? characterOf(Number(value)) : ''
  return simple.get(character ?? '') ?? character ?? ''
}

const characterOf = (code: number): string =>
  code > 31 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
