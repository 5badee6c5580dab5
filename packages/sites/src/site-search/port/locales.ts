/** The tag of a list for a language and its region, if any: `ja` selects `ja_jp`. */
export function localeFor(requested: string, locales: readonly string[]): string | undefined {
  if (requested.trim() === '') return undefined
  const key = tidy(requested)
  return (
    locales.find((locale) => tidy(locale) === key) ??
    locales.find((locale) => tidy(locale).startsWith(`${key}-`)) ??
    locales.find((locale) => key.startsWith(`${tidy(locale)}-`))
  )
}

const tidy = (tag: string): string => tag.trim().toLowerCase().replaceAll('_', '-')

const spoken =
  'ar|bg|bn|ca|cs|da|de|el|en|es|et|fa|fi|fr|he|hi|hr|hu|id|it|ja|ko|lt|lv|ms|nb|nl|no|pl|pt|ro|ru|sk|sl|sr|sv|th|tr|uk|ur|vi|zh'
const localeSegment = new RegExp(`^/(?:${spoken})(?:[-_](?:[a-z]{2}|hans|hant))?(?=/|$)`, 'i')

/** A path without a leading language: `/ja_jp/lambda/` is `/lambda/`. */
export const withoutLocale = (path: string): string => path.replace(localeSegment, '') || '/'

/** The language at the start of the path of a source, if it is in the list. */
export function localeOf(url: string, locales: readonly string[]): string | undefined {
  const first = new URL(url).pathname.split('/')[1] ?? ''
  return first === '' ? undefined : locales.find((locale) => tidy(locale) === tidy(first))
}

/** The language of a query in a list, or else that of the source, or the first one. */
export const localeOfQuery = (
  language: string | undefined,
  source: string,
  locales: readonly string[],
): string => localeFor(language ?? '', locales) ?? localeOf(source, locales) ?? locales[0] ?? ''
