import { localeFor } from '#sites/site-search/port/locales'

/** The language of a search that names none, as far as the script of the query shows it. */
export interface QueryLanguage {
  /** The tag of the pages that were searched; absent if none is in the language of the query. */
  searched?: string
  /** Pages in other languages were not searched. */
  isOnly?: true
  /** Tags of other languages of the pages; of a site's own search, the default one comes first. */
  others: string[]
}

/** Scripts, most specific first, and the languages that are written in them. */
const scripts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, ['ja']],
  [/\p{Script=Hangul}/u, ['ko']],
  [/\p{Script=Han}/u, ['ja', 'zh']],
]

/** Undefined for scripts of many languages. Among `available` a tag is chosen only if one fits. */
export function languageOfQuery(
  query: string,
  available: readonly string[],
): QueryLanguage | undefined {
  const languages = scripts.find(([script]) => script.test(query))?.[1]
  if (!languages) return undefined
  const fitting = languages.flatMap((language) => localeFor(language, available) ?? [])
  const [searched] = fitting.length === 1 ? fitting : []
  const others = [...new Set(available)].filter((tag) => tag !== searched)
  return searched === undefined ? { others } : { searched, others }
}
