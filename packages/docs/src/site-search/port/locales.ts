/** The tag of a list that means the same language, its region if there is one: `ja` is `ja_jp`. */
export function localeFor(wanted: string, locales: readonly string[]): string | undefined {
  if (wanted.trim() === '') return undefined
  const key = tidy(wanted)
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

/** A path without the language it may begin with: `/ja_jp/lambda/` is `/lambda/` in Japanese. */
export const withoutLocale = (path: string): string => path.replace(localeSegment, '') || '/'

/** The language that the path of a source begins with, if it is one of the list. */
export function localeOf(url: string, locales: readonly string[]): string | undefined {
  const first = new URL(url).pathname.split('/')[1] ?? ''
  return first === '' ? undefined : locales.find((locale) => tidy(locale) === tidy(first))
}
