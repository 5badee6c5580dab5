import { attempt } from '#base/attempt'
import { isTable } from '#base/table'
import type { HttpClient, HttpResponse, RequestOptions } from '#fetch/http-client'
import { nearest } from '#fetch/protocol/nearest'
import { DocsError, type DocsErrorCode, quoteValue } from '#formats/docs-error'
import { textIn } from '../libraries/package-files.ts'

/** Of an archive: bytes, compressed, and milliseconds, because GitHub packs it on request. */
const archiveBounds = { maxBytes: 256 * 2 ** 20, timeoutMs: 120_000 }
/** GitHub requests to wait so long after a limit without a time. */
const minWaitMs = 60_000
const withToken = 'set a token: {"headers": {"api.github.com": {"authorization": "Bearer TOKEN"}}}.'

/** A commit, and the `ETag` of the answer that names it. */
export interface Head {
  commit: string
  validator: string
}

export interface GitHub {
  client: () => HttpClient
  /** The address of the REST API. */
  api: string
  /** Milliseconds since 1970 until which a limit holds. */
  limitedUntil: number
}

/** @throws {DocsError} `not_found` for a repository that does not exist or is private. */
export async function defaultBranch(github: GitHub, title: string): Promise<string> {
  const response = await request(github, title).catch(undefinedFor(404))
  const [branch] = response ? textsIn([jsonOf(response)], 'default_branch') : []
  if (branch === undefined) throw noRepository(title)
  return branch
}

/** The head of a branch, `tags/NAME` or a commit; undefined without such a ref. */
export async function headOf(
  github: GitHub,
  path: string,
  earlier?: Head,
): Promise<Head | undefined> {
  const headers = { 'if-none-match': earlier?.validator ?? '' }
  const conditions = earlier?.validator ? { url: urlOf(github, path), headers } : undefined
  const options = { accept: 'application/vnd.github.sha', conditions }
  // 409: the repository is empty; 422: no such ref.
  const response = await request(github, path, options).catch(undefinedFor(404, 409, 422))
  if (response?.status === 304) return earlier
  const commit = Buffer.from(response?.bytes ?? [])
    .toString()
    .trim()
  const head: Head = { commit, validator: response?.headers['etag'] ?? '' }
  return /^[\da-f]{40,64}$/.test(commit) ? head : undefined
}

/** The error for refs that do not exist, with the nearest tags. */
export async function noRef(
  github: GitHub,
  title: string,
  refs: readonly string[],
): Promise<DocsError> {
  const path = `${title}/tags?per_page=100`
  const response = await request(github, path).catch(undefinedFor(404))
  if (!response) return noRepository(title)
  const all = textsIn(jsonOf(response), 'name')
  const alike = new Set(refs.flatMap((ref) => nearest(ref, all, (tag) => tag, 5)))
  const tags = alike.size > 0 ? `Nearest tags: ${[...alike].slice(0, 5).join(', ')}. ` : ''
  const message = `${title} has no branch, tag or commit ${refs.map(quoteValue).join(' or ')}.`
  const remedy = `${tags}For its default branch pass https://github.com/${title}.`
  return new DocsError('not_found', message, remedy)
}

/**
 * An archive, by a redirect to another host with a signed address. A token is a header that the
 * operator configured for the host of the API, so no other host gets it.
 */
export async function archiveOf(
  github: GitHub,
  title: string,
  commit: string,
): Promise<Uint8Array> {
  try {
    return (await request(github, `${title}/tarball/${commit}`, archiveBounds)).bytes
  } catch (error) {
    if (!(error instanceof DocsError) || error.message.startsWith(limitOf)) throw error
    const { code, status } = error
    const size = code === 'too_large' && `larger than ${archiveBounds.maxBytes / 2 ** 20} MB`
    const why = size || (status ? `status ${status}` : code)
    // Without the message and the cause, which may have the signed address.
    throw archiveError(code, title, `could not be fetched (${why}).`)
  }
}

export const archiveError = (code: DocsErrorCode, title: string, problem: string): DocsError =>
  new DocsError(
    code,
    `The archive of ${title} ${problem}`,
    'Clone the repository, and pass its folder as a source.',
  )

/** `path` begins with owner and name. */
const urlOf = ({ api }: GitHub, path: string): string => `${api}/repos/${path}`

async function request(github: GitHub, path: string, options: RequestOptions = {}) {
  if (Date.now() < github.limitedUntil) throw limited(github)
  const headers = { 'x-github-api-version': '2022-11-28' }
  const sent = { accept: 'application/vnd.github+json', headers, ...options }
  const answer = github.client().request(urlOf(github, path), sent)
  return answer.catch((error: DocsError) => {
    const { status, retryAfterMs, message } = error
    // The secondary limit may come without a time.
    const isLimit = retryAfterMs !== undefined || /rate limit/i.test(message)
    if (!isLimit || (status !== 403 && status !== 429)) throw error
    github.limitedUntil = Date.now() + (retryAfterMs ?? minWaitMs)
    throw limited(github)
  })
}

const limitOf = "GitHub's limit of requests"
const limited = ({ limitedUntil }: GitHub): DocsError =>
  new DocsError(
    'unreachable',
    `${limitOf} is used up until ${new Date(limitedUntil).toISOString().slice(0, 16)}Z.`,
    `Search again then, or ${withToken}`,
  )

const noRepository = (title: string): DocsError =>
  new DocsError(
    'not_found',
    `GitHub has no repository ${quoteValue(title)}, or it is private.`,
    `Check its name; for a private one ${withToken}`,
  )

/** For failures of these statuses. */
const undefinedFor =
  (...statuses: readonly number[]) =>
  (error: DocsError): undefined => {
    if (!statuses.includes(error.status ?? 0)) throw error
  }

const jsonOf = ({ bytes }: HttpResponse): unknown =>
  attempt((): unknown => JSON.parse(Buffer.from(bytes).toString()), undefined)

/** The texts that the objects of a list have under a key. */
const textsIn = (list: unknown, key: string): string[] =>
  (Array.isArray(list) ? list : []).flatMap((item) => (isTable(item) && textIn(item, key)) || [])
