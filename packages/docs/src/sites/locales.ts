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

/** A path without the language it may begin with: `/ja_jp/lambda/` is `/lambda/` in Japanese. */
export const withoutLocale = (path: string): string =>
  path.replace(/^\/[a-z]{2}(?:[-_](?:[a-z]{2}|hans|hant))?(?=\/|$)/i, '') || '/'

/** The language that the path of a source begins with, if it is one of the list. */
export function localeOf(url: string, locales: readonly string[]): string | undefined {
  const first = new URL(url).pathname.split('/')[1] ?? ''
  return first === '' ? undefined : locales.find((locale) => tidy(locale) === tidy(first))
}
