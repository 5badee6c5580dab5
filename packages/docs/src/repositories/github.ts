import { attempt } from '#base/attempt'
import { isTable } from '#base/table'
import type { HttpClient, HttpResponse, RequestOptions } from '../fetch/http-client.ts'
import { textIn } from '../libraries/package-files.ts'
import { DocsError, quoteValue } from '../protocol/docs-error.ts'
import { nearest } from '../protocol/nearest.ts'
import { inPath, type Repository } from './repository-address.ts'

/** Of an archive: bytes, compressed, and milliseconds, because GitHub packs it on request. */
const archiveBounds = { maxBytes: 256 * 2 ** 20, timeoutMs: 120_000 }
/** GitHub requests to wait so long after a limit without a time. */
const leastWaitMs = 60_000
const withToken = 'set a token: {"headers": {"api.github.com": {"authorization": "Bearer TOKEN"}}}.'

/** A commit, and the `ETag` of the answer that names it. */
export interface Head {
  commit: string
  validator: string
}

export interface GitHubOptions {
  client: () => HttpClient
  /** The address of the REST API. */
  api: string
}

/**
 * Asks the REST API, whose archives are redirects to another host with a signed address. A token is
 * a header that the operator configured for the host of the API, so no other host gets it.
 */
export function createGitHub({ client, api }: GitHubOptions) {
  let limitedUntil = 0
  return { defaultBranch, commitOf, noRef, archiveOf }

  async function defaultBranch(repository: Repository): Promise<string> {
    const response = await request(repository, '').catch(undefinedFor(404))
    const [branch] = response ? textsIn([jsonOf(response)], 'default_branch') : []
    if (branch === undefined) throw noRepository(repository)
    return branch
  }

  /** Of a branch, `tags/NAME` or a commit; undefined without such a ref. */
  async function commitOf(repository: Repository, ref: string, kept: Head | undefined) {
    const path = `/commits/${inPath(ref)}`
    const headers = { 'if-none-match': kept?.validator ?? '' }
    const conditions = kept?.validator ? { url: addressOf(repository, path), headers } : undefined
    const options = { accept: 'application/vnd.github.sha', conditions }
    // 409: the repository is empty; 422: no such ref.
    const response = await request(repository, path, options).catch(undefinedFor(404, 409, 422))
    if (response?.status === 304) return kept
    const commit = Buffer.from(response?.bytes ?? [])
      .toString()
      .trim()
    const head: Head = { commit, validator: response?.headers['etag'] ?? '' }
    return /^[\da-f]{40,64}$/.test(commit) ? head : undefined
  }

  /** The error for refs that do not exist, with the nearest tags. */
  async function noRef(repository: Repository, refs: readonly string[]): Promise<DocsError> {
    const response = await request(repository, '/tags?per_page=100').catch(undefinedFor(404))
    if (!response) return noRepository(repository)
    const all = textsIn(jsonOf(response), 'name')
    const alike = refs.flatMap((ref) => nearest(ref, all, (tag) => tag, 5))
    const tags = [...new Set(alike)].slice(0, 5)
    return new DocsError(
      'not_found',
      `${titleOf(repository)} has no branch, tag or commit ${refs.map(quoteValue).join(' or ')}.`,
      `${tags.length > 0 ? `Nearest tags: ${tags.join(', ')}. ` : ''}For its default branch pass https://github.com/${titleOf(repository)}.`,
    )
  }

  async function archiveOf(repository: Repository, commit: string): Promise<Uint8Array> {
    try {
      return (await request(repository, `/tarball/${commit}`, archiveBounds)).bytes
    } catch (error) {
      if (!(error instanceof DocsError) || error.message.startsWith('GitHub')) throw error
      const { code, status } = error
      const size =
        code === 'too_large' ? `: it is larger than ${archiveBounds.maxBytes / 2 ** 20} MB` : ''
      // Without the message and the cause, which may have a signed address.
      throw new DocsError(
        code,
        `The archive of ${titleOf(repository)} could not be fetched${status ? ` (status ${status})` : ''}${size}.`,
        'Clone the repository, and pass its folder as a source.',
      )
    }
  }

  function addressOf(repository: Repository, path: string): string {
    return `${api}/repos/${titleOf(repository)}${path}`
  }

  async function request(repository: Repository, path: string, options: RequestOptions = {}) {
    if (Date.now() < limitedUntil) throw limited(limitedUntil)
    const headers = { 'x-github-api-version': '2022-11-28' }
    const accept = 'application/vnd.github+json'
    const url = addressOf(repository, path)
    return client()
      .request(url, { accept, headers, ...options })
      .catch((error: DocsError) => {
        if (!isLimit(error)) throw error
        limitedUntil = Date.now() + (error.retryAfterMs ?? leastWaitMs)
        throw limited(limitedUntil)
      })
  }
}

/** The secondary limit may come without a time. */
const isLimit = ({ status, retryAfterMs, message }: DocsError): boolean =>
  (status === 403 || status === 429) && (retryAfterMs !== undefined || /rate limit/i.test(message))

const limited = (until: number): DocsError =>
  new DocsError(
    'unreachable',
    `GitHub's limit of requests is used up until ${new Date(until).toISOString().slice(0, 16)}Z.`,
    `Search again then, or ${withToken}`,
  )

const noRepository = (repository: Repository): DocsError =>
  new DocsError(
    'not_found',
    `GitHub has no repository ${quoteValue(titleOf(repository))}, or it is private.`,
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

export const titleOf = ({ owner, name }: Repository): string => `${owner}/${name}`
