import { letters } from '@pith-mcp/base/letters'
import type { Origin, PageSource } from '@pith-mcp/docs'
import { amount } from '@pith-mcp/server-kit/tools'

/**
 * Put text of a page between tags that it does not contain, so that no line of the page can be
 * taken for a line of the reply. If the text contains the tag, the tag gets a number; the text is
 * unchanged.
 */
export function fenced(text: string): string {
  let mark = 'page_text'
  for (let number = 2; text.includes(`</${mark}>`); number++) mark = `page_text_${number}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** Lines of a reply, or false for those that do not apply. */
type Line = string | false | undefined | readonly Line[]

const appliesTo = (line: Line): string[] =>
  typeof line === 'string' ? [line] : line ? line.flatMap(appliesTo) : []

export const linesOf = (...lines: readonly Line[]): string => appliesTo(lines).join('\n')

/** Notes, the name of a tag and the text between the tags take turns. */
const partsOf = (reply: string): string[] =>
  reply.split(/^<(page_text(?:_\d+)?)>\n([\s\S]*?)\n<\/\1>$/gm)

/** The texts of pages in a reply. */
export const quotedTexts = (reply: string): string[] =>
  partsOf(reply).filter((_, at) => at % 3 === 2)

/** The reply without the tags, for people; `worded` changes what is not text of a page. */
export function unfenced(reply: string, worded = (text: string): string => text): string {
  return partsOf(reply)
    .filter((_, at) => at % 3 !== 1)
    .map((text, at) => (at % 2 === 0 ? worded(text) : text))
    .join('')
}

/** In characters. */
const maxLength = 120
const maxLast = 240

/**
 * A title for a line of a reply, without brackets, which mark the notes of a reply. A path of titles
 * is cut before its last title.
 */
export function shortTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  if (line.length <= maxLength) return line
  const last = / › (?:(?! › ).)+$/.exec(line)?.[0].slice(0, maxLast) ?? ''
  return `${line.slice(0, Math.max(0, maxLength - 1 - last.length))}…${last}`
}

/** A source without its scheme; the end of a long name distinguishes it. */
export function shortName(name: string): string {
  const short = name.replace(/^https?:\/\/|\?.*$/g, '').replace(/\/$/, '')
  return short.length > 60 ? `…${short.slice(-59)}` : short
}

/** Parts of host names that say nothing of the subject. */
const genericLabels =
  /^(?:www|docs?|documentation|developers?|dev|help|learn|manual|reference|api|readthedocs|github|gitlab)$/
/** Hosts of many projects have the name of the project in the path. */
const sharedHosts = /^(?:docs\.rs|pkg\.go\.dev|[^.]+\.(?:github|gitlab)\.io)$/

/** What a site documents, as its address tells it: `django 5.2` of docs.djangoproject.com/en/5.2. */
export function subjectOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  const labels = hostname.split('.').slice(0, -1)
  const specificLabels = labels
    .filter((label) => !genericLabels.test(label))
    .map((label) => label.replace(/(?<=..)project$/, ''))
  const path = pathname.split('/').filter(Boolean)
  const project = sharedHosts.test(hostname) ? path.slice(0, 1) : []
  const version = path.find((part) => /^v?\d+(?:\.\d+)*$/.test(part)) ?? ''
  const words = [...(specificLabels.length > 0 ? specificLabels : labels), ...project, version]
  return shortTitle(decodeURIComponent(words.join(' '))).trim()
}

/** A section near a hit. The title is added if the id does not tell it. */
export function nearText({ id, title }: { id: string; title: string }): string {
  const isTelling = letters(id).includes(letters(title)) || letters(title).includes(letters(id))
  return isTelling || title === '' ? `#${id}` : `#${id} (${shortTitle(title)})`
}

const names: Readonly<Record<PageSource, string>> = {
  negotiated: 'text/markdown',
  alternate: 'linked Markdown',
  variant: 'Markdown variant',
  html: 'HTML',
  file: 'file',
  pack: 'pack',
}

/**
 * How the page was read, of which version, and where redirects led; where its text stands if it shows none; a charset
 * that was guessed; what is not read, how much was kept if that is little, and what was left out; for a stale copy
 * also its date and the reason.
 */
export function originText(origin: Origin): string {
  const { source, fetchedAt, redirectedTo, guessedCharset, textFrom, stale } = origin
  const place = textFrom === undefined ? '' : `, text from ${safeText(textFrom)}`
  const charset = guessedCharset === undefined ? '' : `, charset guessed: ${guessedCharset}`
  const led = redirectedTo === undefined ? '' : `, redirected to ${safeText(redirectedTo)}`
  const { pack, library } = origin
  const from = pack === undefined ? safeText(library ?? names[source]) : `pack ${safeText(pack)}`
  const name = `${from}${versionText(origin)}${led}${place}${charset}${keptText(origin)}`
  if (stale === undefined) return name
  const since =
    fetchedAt === undefined ? '' : ` of ${new Date(fetchedAt).toISOString().slice(0, 16)}Z`
  return `${name}, cached copy${since}: ${safeText(stale)}`
}

/** The version that the site states, and when it was read; the date of a stale copy follows anyway. */
function versionText({ version, fetchedAt, stale }: Origin): string {
  if (version === undefined) return ''
  const isDated = fetchedAt !== undefined && stale === undefined
  const date = isDated ? `, read ${new Date(fetchedAt).toISOString().slice(0, 10)}` : ''
  return `, version ${safeText(version)}${date}`
}

const safeText = (text: string): string => text.replace(/[[\]\n]/g, ' ').slice(0, 200)

/** What is not read, how much of the text was kept if that is little, and what was left out. */
function keptText({ kept, leftOut, unread = [] }: Origin): string {
  const gaps = unread.length === 0 ? '' : `, not read: ${safeText(unread.join(', '))}`
  const percent =
    kept === undefined ? '' : `, ${Math.max(1, Math.round(kept * 100))} % of its text kept`
  const share = `${gaps}${percent}`
  if (!leftOut) return share
  const { blocks, characters } = leftOut
  return `${share}, left out next to the text: ${amount(blocks, 'block')}, ${amount(characters, 'character')}`
}
