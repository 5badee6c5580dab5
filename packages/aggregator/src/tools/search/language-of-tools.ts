import type { CatalogTool } from '../../catalog/catalog-tools.ts'

/** Scripts that a query may have letters of, besides Latin, which names of tools have. */
const scripts = [
  'Cyrillic Greek Armenian Georgian Hebrew Arabic Devanagari Bengali Tamil Telugu Thai',
  'Hangul Han Hiragana Katakana',
].flatMap((names) =>
  names.split(' ').map((name) => new RegExp(String.raw`\p{Script=${name}}`, 'gu')),
)

const words = (all: string): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${all.replaceAll(' ', '|')})(?!\p{L})`, 'giu')

/** What shows a language: small words, or letters. */
const languages: readonly (readonly [string, RegExp])[] = [
  ['English', words('the of to and for with from by an')],
  ['German', words('der die das den und für mit von eine einer eines')],
  ['French', words('le la les des du et pour avec dans une')],
  ['Spanish', words('el los las del y para con una por')],
  ['Portuguese', words('os as do da dos e para com uma por')],
  ['Italian', words('il lo gli della di e per con una')],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]+/gu],
  ['Chinese', /\p{Script=Han}{2,}/gu],
  ['Korean', /\p{Script=Hangul}+/gu],
  ['Russian', words('и в для из по с на или')],
]
/** Descriptions that are read to tell their language. */
const maxRead = 300

/**
 * The language to search in, if more than a share of the query's letters are of scripts that no tool
 * uses; of several languages, that of most descriptions.
 */
export function languageToSearchIn(
  query: string,
  tools: readonly CatalogTool[],
  share: number,
): string | undefined {
  const inQuery = scripts.filter((script) => countOf(script, query) > 0)
  if (inQuery.length === 0 || tools.length === 0) return undefined
  const texts = tools.map(
    ({ name, definition }) =>
      `${name} ${definition['title'] ?? ''} ${definition['description'] ?? ''}`,
  )
  const unused = inQuery
    .filter((script) => !texts.some((text) => text.search(script) >= 0))
    .reduce((sum, script) => sum + countOf(script, query), 0)
  if (unused <= share * countOf(/\p{L}/gu, query)) return undefined
  const step = Math.ceil(texts.length / maxRead)
  const some = texts.filter((_, at) => at % step === 0)
  const votes = languages.map(([language, signs]) => ({
    language,
    count: some.reduce((sum, text) => sum + countOf(signs, text), 0),
  }))
  return votes.reduce((most, vote) => (vote.count > most.count ? vote : most)).language
}

const countOf = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0
