import type { SearchedSource } from '@pith-mcp/docs'
import { amount, count } from '@pith-mcp/server-kit/tools'
import { shortName, shortTitle } from './reply-text.ts'

/** What of a source was not read, and what can be done about it. */
interface Gap {
  /** Continues "not read:". */
  what: string
  remedy?: string | undefined
}

const deeper = 'to search another part, pass its URL as source'
const deeperOf = (name: string, canPass: boolean): string | undefined =>
  /^https?:/i.test(name) ? (canPass ? deeper : undefined) : 'raise --max-pages of the server'
const again = 'repeat the search for more results'

/**
 * Everything of a source that was not read, by kind and number; `canPass`: the tool has a parameter
 * for the source.
 */
function gapsOf(source: SearchedSource, canPass = true): Gap[] {
  const { name, pages, unread, failed, more, forbidden, isComplete } = source
  const { problem, ignored, unreadable, progress } = source
  const gaps: Gap[] = []
  if (problem !== undefined)
    gaps.push({ what: `${shortName(name)} could not be listed: ${lineOf(problem)}` })
  else if (unread > 0)
    gaps.push({
      what: `${amount(unread, 'page')} known by title only`,
      remedy: isComplete ? deeperOf(name, canPass) : again,
    })
  else if (!isComplete) {
    const rest = progress.total - progress.done
    gaps.push({
      what: rest > 0 ? `${amount(rest, 'page')} still to be indexed` : 'pages still to be listed',
      remedy: again,
    })
  }
  if (forbidden > 0) gaps.push({ what: `${amount(forbidden, 'page')} that robots.txt forbids` })
  if (failed > 0) {
    const folder = name.endsWith('/') ? name : `${name}/`
    // Of what is below the source, the rest of the address.
    const describe = (text: string): string => lineOf(text.replaceAll(folder, ''))
    const examples = unreadable.map(({ url, problem: why }) => `${describe(url)}: ${describe(why)}`)
    const list = examples.length > 0 ? ` (${examples.join('; ')})` : ''
    gaps.push({ what: `${amount(failed, 'unreadable page')}${list}` })
  }
  if (ignored) gaps.push({ what: `other formats: ${ignored}` })
  if (more && unread === 0)
    gaps.push({ what: `pages beyond the ${count(pages)} read`, remedy: deeperOf(name, canPass) })
  return gaps
}

const lineOf = (text: string): string => shortTitle(text.replace(/[[\]\n]/g, ' '))

/** Also the labels that pages have next to their text: they matter only to what is absent. */
function allGapsOf(source: SearchedSource, canPass?: boolean): Gap[] {
  const { leftOut } = source
  const what = `labels next to the text of ${amount(leftOut, 'page')}`
  return [...gapsOf(source, canPass), ...(leftOut > 0 ? [{ what }] : [])]
}

/** A line for each kind of gap of a source. */
export const notReadNotes = (source: SearchedSource, canPass: boolean): string[] =>
  gapsOf(source, canPass).map(
    ({ what, remedy }) => `[not read: ${what}${remedy === undefined ? '' : `; ${remedy}`}]`,
  )

/** That no page has some words, as far as pages were read. */
export function absence(words: string, sources: readonly SearchedSource[]): string {
  if (sources.every((source) => allGapsOf(source).length === 0)) return `No page contains ${words}`
  const pages = sources.reduce((sum, source) => sum + source.pages, 0)
  if (pages === 0) return `No page was read to look for ${words}`
  return pages === 1
    ? `The one page read does not contain ${words}`
    : `None of the ${count(pages)} pages read contains ${words}`
}

/** The same as a sentence that ends with all that was not read, and the lines of what can be done. */
export function absenceNotes(
  words: string,
  sources: readonly SearchedSource[],
  canPass: boolean,
): string[] {
  const gaps = sources.flatMap((source) => allGapsOf(source, canPass))
  const remedies = new Set(gaps.flatMap(({ remedy }) => remedy ?? []))
  const rest = gaps.length > 0 ? `; not read: ${gaps.map(({ what }) => what).join(', ')}` : ''
  return [`${absence(words, sources)}${rest}.`, ...[...remedies].map((remedy) => `[${remedy}]`)]
}
