import { escapeHtml } from '../../parts/escape-html.ts'

/** Of one text that stands for a name, and of all uses of such texts. */
const maxSubstitution = 1_000
const maxSubstituted = 2 ** 20

/** The start of code, of a role, of a link, of an emphasis and of others. */
const markup =
  /\\(?<escaped>[\s\S])|``(?<code>[^\n]{1,2000}?(?:\n[^\n]{1,500}?)?)``(?!`)|(?::(?<role>[\w:+.-]{1,40}):)?`(?<text>[^`]{1,2000})`(?<link>__?)?(?::(?<role2>[\w:+.-]{1,40}):)?|\*\*(?<strong>[^\s*](?:[^*]{0,1000}[^\s*])?)\*\*|(?<![\w*])\*(?<em>[^\s*](?:[^*]{0,1000}[^\s*])?)\*(?![\w*])|(?<!\w)\|(?<name>[^|\s][^|\n]{0,80})\|(?:__?)?|(?<!\w)\[(?<note>#?[\w*-]{0,60})\]_(?!\w)|(?<![\w`])(?<word>[A-Za-z0-9][\w.+-]{0,80})__?(?![\w_])/g

/** Roles whose text is no code; of all others it is. */
const proseRoles = new Set(
  `abbr abbreviation any cite dfn doc download emphasis eq guilabel index keyword menuselection numref pep ref
  rfc strong sub subscript sup superscript term title title-reference t`.split(/\s+/),
)

/** Links and texts by their names, which are collected before a text is read. */
export class RstText {
  readonly #targets = new Map<string, string>()
  readonly #anonymous: string[] = []
  readonly #substitutions = new Map<string, string>()
  #substituted = 0

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const [, name = '', url = ''] = /^\s*\.\. _(`[^`]+`|[^:\\]+):\s+(\S+)\s*$/.exec(line) ?? []
      const [, anonymous] = /^\s*(?:__|\.\. __:) (\S+)\s*$/.exec(line) ?? []
      if (anonymous) this.#anonymous.push(anonymous)
      if (name === '_') this.#anonymous.push(url)
      else if (name !== '') this.#targets.set(keyOf(name.replaceAll('`', '')), url)
      const [, word = '', kind, text = ''] =
        /^\s*\.\. \|([^|]{1,80})\|\s+(\w+)::\s*(.*)$/.exec(line) ?? []
      if (word)
        this.#substitutions.set(
          keyOf(word),
          kind === 'replace' ? text.slice(0, maxSubstitution) : '',
        )
    }
  }

  html(text: string): string {
    const parts: string[] = []
    let at = 0
    for (const { index, 0: match, groups = {} } of text.matchAll(markup)) {
      parts.push(escapeHtml(text.slice(at, index)), this.#read(match, groups))
      at = index + match.length
    }
    parts.push(escapeHtml(text.slice(at)))
    return parts.join('')
  }

  #read(match: string, groups: Record<string, string | undefined>): string {
    const { escaped, code, text, strong, em, name, note, word } = groups
    if (escaped !== undefined) return /\s/.test(escaped) ? '' : escapeHtml(escaped)
    if (code !== undefined) return `<code>${escapeHtml(code)}</code>`
    if (text !== undefined) return this.#interpreted(text, groups)
    if (strong !== undefined) return `<strong>${escapeHtml(strong)}</strong>`
    if (em !== undefined) return `<em>${escapeHtml(em)}</em>`
    if (note !== undefined) return escapeHtml(`[${note}]`)
    if (name !== undefined) return this.#substitute(name) ?? escapeHtml(match)
    const url = this.#targets.get(keyOf(word ?? ''))
    return url ? linkTo(url, word ?? '') : escapeHtml(match)
  }

  /** Text between backticks: of a role, or of a link. */
  #interpreted(text: string, groups: Record<string, string | undefined>): string {
    const { link } = groups
    const role = (groups['role'] ?? groups['role2'])?.split(':').at(-1)
    const [, title = text, target] = /^([\s\S]*?)\s*<([^<>]*)>$/.exec(text) ?? []
    if (link) {
      const url =
        target ??
        this.#targets.get(keyOf(title)) ??
        (link === '__' ? this.#anonymous.shift() : undefined)
      return url ? linkTo(url.replace(/_$/, ''), title || url) : escapeHtml(title)
    }
    const label = title || (target ?? '')
    if (role === 'doc') return linkTo(`${target ?? text}.rst`, label)
    if (role === undefined || proseRoles.has(role)) return escapeHtml(label)
    const name = label.replace(/^!/, '').replace(/^~(?:[\w.]*\.)?/, '')
    return `<code>${escapeHtml(name)}</code>`
  }

  #substitute(name: string): string | undefined {
    const text = this.#substitutions.get(keyOf(name))
    this.#substituted += text?.length ?? 0
    return this.#substituted > maxSubstituted ? undefined : text && escapeHtml(text)
  }
}

const keyOf = (name: string): string => name.replace(/\s+/g, ' ').trim().toLowerCase()

const linkTo = (url: string, title: string): string =>
  `<a href="${escapeHtml(url.replace(/^\/(?=[^/])/, ''))}">${escapeHtml(title)}</a>`
