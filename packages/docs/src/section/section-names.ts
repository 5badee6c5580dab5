import type { Section } from '@pith-mcp/cleaner'

/** In characters; the rest of a long signature or list of terms is ignored. */
export const maxNameLength = 2_000
const maxTerms = 40

/** Keywords that precede the name of an object, and the words of headings such as `Class: fs.Dir`. */
const kindWords =
  /^(?:(?:class|event|function|interface|method|module|object|type):\s+|(?:abstract|async|awaitable|class|classmethod|const|coroutine|def|enum|exception|export|final|fn|func|function|interface|method|module|property|public|static|staticmethod|struct|type|var)\s+)+/i

/** The type that a C function returns, before its name. */
const returnType =
  /^(?:(?:const|extern|inline|static|struct|unsigned)\s+)*(?:bool|char|double|float|int|long|void|\w+_t|\w+(?=\s*\*))[\s*]+(?=\w+\()/

/** Names of a section in addition to its title, unchanged, the most specific first. */
export interface SectionNames {
  /** Whole terms, if the title has several: `-o FILE` and `--output FILE`. */
  terms: readonly string[]
  /** First words of terms: `--output`, `json.dump`, `DATA_RETENTION_TIME_IN_DAYS`. */
  tokens: readonly string[]
  /** The part of a signature before its punctuation: `CLUSTER BY` of `CLUSTER BY ( expr )`. */
  phrases: readonly string[]
  /** The last part of dotted names: `dump` of `json.dump(obj)`, `open` of `Box::open`. */
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

/** The first block of an entry contains its terms, one per line. */
function termsOfTitle({ kind, title, blocks }: Section): string[] {
  const [first] = kind === 'entry' ? blocks : []
  const firstText = first?.kind === 'text' || first?.kind === 'definition' ? first.markdown : ''
  const lines = [title, ...firstText.slice(0, maxNameLength).split('\n')].map(withoutMarkup)
  return [...new Set(lines.flatMap(splitTerms))].slice(0, maxTerms)
}

/** Removes Markdown markup. */
export const withoutMarkup = (text: string): string =>
  text
    .slice(0, maxNameLength)
    .replace(/\\(?=[^\p{L}\p{N}\s])/gu, '')
    .replace(/[`*]+/g, '')
    .replace(/^#+\s*/, '')
    .trim()

/** Splits at commas and bars outside of brackets; those inside belong to a signature. */
function splitTerms(line: string): string[] {
  const terms: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at <= line.length; at++) {
    const char = line[at]
    if (char !== undefined && '([{<'.includes(char)) depth++
    else if (char !== undefined && ')]}>'.includes(char)) depth = Math.max(0, depth - 1)
    else if (char === undefined || (depth === 0 && (char === ',' || char === '|'))) {
      terms.push(line.slice(from, at).trim())
      from = at + 1
    }
  }
  return terms.filter(Boolean)
}

/** Keywords are removed from a signature; in other titles they are ordinary words. */
function firstToken(term: string): string {
  const bare = term.replace(returnType, '').replace(kindWords, '')
  const isSignature = /^[^\s([{<=:]+(?:\s*[([{<=:]|$)/.test(bare)
  const text = isSignature ? bare : term
  return /^[^\s([{<=|,;]+/.exec(text)?.[0].replace(/[:.]+$/, '') ?? ''
}
