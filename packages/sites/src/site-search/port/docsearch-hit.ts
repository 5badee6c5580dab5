import type { Found } from './json-site.ts'
import { isObject, type Json, plainText } from './response.ts'

const levels = ['lvl0', 'lvl1', 'lvl2', 'lvl3', 'lvl4', 'lvl5', 'lvl6']

/** A DocSearch record of any service: a heading or a passage below one. */
export function docsearchHit({ url, content, ...record }: Json, passage: unknown): Found {
  const hierarchy = isObject(record['hierarchy']) ? record['hierarchy'] : {}
  const titles = levels
    .map((level) => plainText(hierarchy[level] ?? record[`hierarchy.${level}`], 300))
    .filter((title) => title !== '')
  // The first level is the part of the site; the second is the page.
  const title = titles[1] ?? titles[0] ?? url
  return { url, title, headings: titles.slice(2), excerpts: [passage, content] }
}
