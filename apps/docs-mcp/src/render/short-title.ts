/** In characters. */
const maxLength = 120
const maxLast = 240

/**
 * A title for a line of a reply, without brackets, which mark the notes of a reply. A path of titles
 * is cut before its last title.
 */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  if (plain.length <= maxLength) return plain
  const last = / › (?:(?! › ).)+$/.exec(plain)?.[0].slice(0, maxLast) ?? ''
  return `${plain.slice(0, Math.max(0, maxLength - 1 - last.length))}…${last}`
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
  const own = labels
    .filter((label) => !genericLabels.test(label))
    .map((label) => label.replace(/(?<=..)project$/, ''))
  const path = pathname.split('/').filter(Boolean)
  const project = sharedHosts.test(hostname) ? path.slice(0, 1) : []
  const version = path.find((part) => /^v?\d+(?:\.\d+)*$/.test(part)) ?? ''
  const words = [...(own.length > 0 ? own : labels), ...project, version]
  return shortTitle(decodeURIComponent(words.join(' '))).trim()
}

/** A section near a hit. The title is added if the id does not tell it. */
export function nearText({ id, title }: { id: string; title: string }): string {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const isTelling = letters(id).includes(letters(title)) || letters(title).includes(letters(id))
  return isTelling || title === '' ? `#${id}` : `#${id} (${shortTitle(title)})`
}
