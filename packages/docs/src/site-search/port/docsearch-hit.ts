import { isObject, type Json, plainText, webUrl } from './response.ts'
import type { SiteHit } from './site.ts'

const levels = ['lvl0', 'lvl1', 'lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6']

/** A DocSearch record of any service: a heading or a passage below one. */
export function docsearchHit(record: Json, passage: unknown, base: string): SiteHit[] {
  const url = webUrl(record['url'], base)
  if (url === undefined) return []
  const hierarchy = isObject(record['hierarchy']) ? record['hierarchy'] : {}
  const titles = levels
    .map((level) => plainText(hierarchy[level] ?? record[`hierarchy.${level}`], 300))
    .filter((title) => title !== '')
  const excerpt = plainText(passage) || plainText(record['content'])
  // The first level is the part of the site; the second is the page.
  return [{ url, title: titles[1] ?? titles[0] ?? url, path: titles.slice(2), excerpt }]
}
