import type { Section } from '@pith-mcp/cleaner'

/** More of a signature, or of a list of terms, names nothing. */
const maxNameLength = 2_000
const maxTerms = 40

/** Words that say of what kind a term is, before what it is called. */
const kindWords =
  /^(?:(?:abstract|async|awaitable|class|classmethod|const|coroutine|def|enum|exception|export|final|fn|func|function|interface|method|module|property|public|static|staticmethod|struct|type|var)\s+)+/

/** Names of a section other than its title, each as it is written, the most telling first. */
export interface SectionNames {
  /** Whole terms, where the title has several: `-o FILE` and `--output FILE`. */
  terms: readonly string[]
  /** What terms begin with: `--output`, `json.dump`, `DATA_RETENTION_TIME_IN_DAYS`. */
  tokens: readonly string[]
  /** What stands before the signs of a signature: `CLUSTER BY` of `CLUSTER BY ( expr )`. */
  phrases: readonly string[]
  /** The last part of names with dots: `dump` of `json.dump(obj)`, `open` of `Box::open`. */
  lastParts: readonly string[]
}

export function namesOf(section: Section): SectionNames {
  const terms = termsOfTitle(section)
  const tokens = terms.map(firstToken).filter(Boolean)
  return {
    terms,
    tokens,
    phrases: terms.map((term) => /^[^([{<=|:]*/.exec(term)?.[0].trim() ?? '').filter(Boolean),
    lastParts: tokens.flatMap((token) => {
      const parts = token.split(/\.|::|#|->/).filter(Boolean)
      return parts.length > 1 ? [parts.at(-1) ?? ''] : []
    }),
  }
}

/** Of an entry the first block is its terms, a line each. */
function termsOfTitle({ kind, title, blocks }: Section): string[] {
  const [first] = kind === 'entry' ? blocks : []
  const said = first?.kind === 'text' || first?.kind === 'definition' ? first.markdown : ''
  const lines = [title, ...said.slice(0, maxNameLength).split('\n')].map(plain)
  return [...new Set(lines.flatMap(splitTerms))].slice(0, maxTerms)
}

/** Without the marks of Markdown. */
const plain = (text: string): string =>
  text
    .slice(0, maxNameLength)
    .replace(/\\(?=[^\p{L}\p{N}\s])/gu, '')
    .replace(/[`*]+/g, '')
    .replace(/^#+\s*/, '')
    .trim()

/** At commas and bars outside of brackets: those inside are of a signature. */
function splitTerms(line: string): string[] {
  const terms: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= line.length; at++) {
    const sign = line[at]
    if (sign !== undefined && '([{<'.includes(sign)) depth++
    else if (sign !== undefined && ')]}>'.includes(sign)) depth = Math.max(0, depth - 1)
    else if (sign === undefined || (depth === 0 && (sign === ',' || sign === '|'))) {
      terms.push(line.slice(from, at).trim())
      from = at + 1
    }
  }
  return terms.filter(Boolean)
}

/** Kind words are left out of what looks like a signature; others are words of a title. */
function firstToken(term: string): string {
  const bare = term.replace(kindWords, '')
  const isSignature = /^[^\s([{<=:]+(?:\s*[([{<=:]|$)/.test(bare)
  const said = isSignature ? bare : term
  return /^[^\s([{<=|,;]+/.exec(said)?.[0].replace(/[:.]+$/, '') ?? ''
}
