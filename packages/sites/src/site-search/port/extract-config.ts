import { metaOf } from '#formats/stated-version'
import type { Front } from './site.ts'

/** At most this many scripts of a page are searched. */
const maxScripts = 4

/**
 * Find the settings of a search in a page or in one of its scripts. Generators write them into
 * either, as JSON, as JSON in a string, or as minified code.
 */
export async function extractConfig<T>(
  front: Front,
  script: RegExp,
  find: (text: string) => T | undefined,
): Promise<T | undefined> {
  const inPage = find(front.html)
  if (inPage) return inPage
  const scripts = scriptsOf(front).filter((url) => script.test(url))
  for (const url of scripts.slice(0, maxScripts)) {
    const text = await front.read(url)
    const config = text === undefined ? undefined : find(text)
    if (config) return config
  }
  return undefined
}

function scriptsOf({ html, url }: Front): string[] {
  const matches = html.matchAll(
    /<(?:script|link)\b[^<>]{0,500}?\b(?:src|href)=["']?([^"'\s>]{1,500})/gi,
  )
  const urls = [...matches].flatMap(([, name = '']) =>
    /\.m?js(?:\?|$)/.test(name) && URL.canParse(name, url) ? [new URL(name, url).href] : [],
  )
  return [...new Set(urls)]
}

/**
 * The value after a name, the one nearest to `at` and at most `reach` characters away. Quotes may
 * be escaped.
 */
export function valueNear(
  text: string,
  name: string,
  value: string,
  at: number,
  reach = 1_500,
): string | undefined {
  const start = Math.max(0, at - reach)
  const around = text.slice(start, at + reach)
  const pattern = new RegExp(`${nameBefore(name)}[\\\\"'\`]{1,4}(${value})`, 'g')
  const candidates = [...around.matchAll(pattern)].map(({ index, 1: content }) => ({
    content,
    far: Math.abs(start + index - at),
  }))
  return candidates.toSorted((a, b) => a.far - b.far)[0]?.content
}

/** A pattern for a name and the characters between it and its value. */
export const nameBefore = (name: string): string =>
  `(?<![\\w$-])(?:${name})[\\\\"'\`]{0,4}\\s{0,5}[:=]\\s{0,5}`

/**
 * Tags of the pages of one version, as Docusaurus marks them: `default` and the version of the
 * page. A page without a version, such as a start page, sets no tags.
 */
export function versionTags(html: string): { tags?: string } {
  const tag = metaOf(html, 'docsearch:docusaurus_tag')
  return tag === undefined || tag === 'default' ? {} : { tags: `default,${tag}` }
}
