import { fileURLToPath } from 'node:url'
import { decoded } from '#base/decoded'
import { DocsError, quoteValue } from '#formats/docs-error'

/** Where a page is. `fragment` is the decoded part after `#`. */
export type Location =
  | { kind: 'web'; url: string; fragment?: string }
  | { kind: 'file'; path: string; fragment?: string }

const maxLength = 2_000

/**
 * Parse a URL or path. A relative path stays relative.
 *
 * @throws {DocsError} `bad_argument` for anything else.
 */
export function parseLocation(text: string): Location {
  const trimmed = text.trim().replace(/^<(.*)>$/, '$1')
  if (trimmed === '') throw new DocsError('bad_argument', 'The URL is empty.', remedy)
  if (trimmed.length > maxLength)
    throw new DocsError(
      'bad_argument',
      `The URL has ${trimmed.length} characters; the limit is ${maxLength}: ${quoteValue(trimmed)}.`,
      remedy,
    )
  if (/^https?:/i.test(trimmed)) return webLocation(trimmed)
  if (/^file:/i.test(trimmed)) return fileLocation(trimmed)
  // A single letter before the colon is a drive, and what precedes a port is a host.
  const scheme = /^([a-z][a-z0-9+.-]+):(?!\d{1,5}(?:[/?#]|$))/i.exec(trimmed)
  if (scheme)
    throw new DocsError(
      'bad_argument',
      `${quoteValue(trimmed)} has the scheme ${quoteValue(`${scheme[1]}:`)}, which is not supported.`,
      remedy,
    )
  const [, path = '', fragment] = /^([^#]*)#?(.*)$/s.exec(trimmed) ?? []
  return { kind: 'file', path, ...(fragment && { fragment: decoded(fragment) }) }
}

const remedy = 'Pass an http:// or https:// URL, or the path of a page in a source folder.'

function webLocation(text: string): Location {
  if (!URL.canParse(text))
    throw new DocsError('bad_argument', `${quoteValue(text)} is not a valid URL.`, remedy)
  const url = new URL(text)
  const fragment = decoded(url.hash.slice(1))
  url.hash = ''
  if (url.username !== '' || url.password !== '')
    throw new DocsError(
      'bad_argument',
      `The URL of ${quoteValue(url.host)} contains a user name or password.`,
      'Remove the credentials from the URL.',
    )
  return { kind: 'web', url: url.href, ...(fragment && { fragment }) }
}

function fileLocation(text: string): Location {
  try {
    const url = new URL(text)
    const fragment = decoded(url.hash.slice(1))
    return { kind: 'file', path: fileURLToPath(url), ...(fragment && { fragment }) }
  } catch (cause) {
    throw new DocsError('bad_argument', `${quoteValue(text)} is not a valid file URL.`, remedy, {
      cause,
    })
  }
}
