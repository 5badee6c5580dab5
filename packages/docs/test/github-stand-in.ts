import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'

export type RepositoryFiles = Readonly<Record<string, string>>

interface Branches {
  default: string
  /** By branch, or by `tags/NAME`. */
  refs: Record<string, RepositoryFiles>
}

/** A request, without what is alike in all. */
export interface SentRequest {
  host: 'api' | 'codeload'
  path: string
  authorization: string | undefined
  validator: string | undefined
}

/** An archive as GitHub packs it, with everything below one folder. */
export async function tarball(
  top: string,
  files: RepositoryFiles,
  more: readonly (Partial<Header> & { name: string })[] = [],
): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: `${top}/`, type: 'directory' })
  for (const [path, text] of Object.entries(files)) archive.entry({ name: `${top}/${path}` }, text)
  for (const header of more) archive.entry(header)
  archive.finalize()
  const parts: Buffer[] = []
  for await (const part of archive) parts.push(part as Buffer)
  return gzipSync(Buffer.concat(parts))
}

export const commitOf = (files: RepositoryFiles): string =>
  createHash('sha1').update(JSON.stringify(files)).digest('hex')

/** The REST API and the host of archives, with the repository ada/widgets. */
export async function startGitHub(branches: Branches): Promise<{
  api: string
  branches: Branches
  requests: SentRequest[]
  /** Answers instead of the API. */
  answer: ((response: ServerResponse) => void) | undefined
  archive: ((top: string, files: RepositoryFiles) => Promise<Buffer>) | undefined
  close(): Promise<void>
}> {
  const requests: SentRequest[] = []
  const note = (host: SentRequest['host'], { url = '', headers }: IncomingMessage) =>
    requests.push({
      host,
      path: url,
      authorization: headers.authorization,
      validator: headers['if-none-match'],
    })
  const json = (response: ServerResponse, status: number, value: unknown): void => {
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    response.writeHead(status, headers).end(JSON.stringify(value))
  }
  const notFound = (response: ServerResponse): void =>
    json(response, 404, { message: 'Not Found', status: '404' })

  const codeload = createServer((request, response) => {
    note('codeload', request)
    const commit = /\/legacy\.tar\.gz\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    const files = Object.values(branches.refs).find((all) => commitOf(all) === commit)
    if (!files) return void response.writeHead(404).end('404: Not Found')
    const top = `ada-widgets-${commit.slice(0, 7)}`
    void (service.archive ?? tarball)(top, files).then((bytes) =>
      response
        .writeHead(bytes.length > 0 ? 200 : 500, { 'content-type': 'application/x-gzip' })
        .end(bytes),
    )
  })
  const api = createServer((request, response) => {
    note('api', request)
    if (service.answer) return service.answer(response)
    const [, path = ''] = /^\/repos\/ada\/widgets(.*)$/.exec(request.url ?? '') ?? []
    if (!/^\/repos\/ada\/widgets/.test(request.url ?? '')) return notFound(response)
    if (path === '') return json(response, 200, { default_branch: branches.default })
    if (path.startsWith('/tags?')) {
      const names = Object.keys(branches.refs).filter((ref) => ref.startsWith('tags/'))
      return json(
        response,
        200,
        names.map((name) => ({ name: name.slice('tags/'.length) })),
      )
    }
    const [, commit] = /^\/tarball\/(\w+)$/.exec(path) ?? []
    if (commit !== undefined) {
      const location = `${urlOf(codeload)}/ada/widgets/legacy.tar.gz/${commit}?token=SIGNED`
      return void response.writeHead(302, { location }).end()
    }
    const ref = decodeURIComponent(/^\/commits\/(.+)$/.exec(path)?.[1] ?? '')
    const files = branches.refs[ref] ?? branches.refs[`tags/${ref}`]
    if (!files) return json(response, 422, { message: `No commit found for SHA: ${ref}` })
    const etag = `W/"${createHash('sha256').update(commitOf(files)).digest('hex')}"`
    const headers = { etag, 'x-ratelimit-remaining': '59', 'cache-control': 'public, max-age=60' }
    if (request.headers['if-none-match'] === etag)
      return void response.writeHead(304, headers).end()
    const type = { 'content-type': 'application/vnd.github.sha; charset=utf-8' }
    response.writeHead(200, { ...headers, ...type }).end(commitOf(files))
  })
  const urlOf = (server: typeof api): string =>
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const server of [api, codeload])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const service: Awaited<ReturnType<typeof startGitHub>> = {
    api: urlOf(api),
    branches,
    requests,
    answer: undefined,
    archive: undefined,
    async close() {
      for (const server of [api, codeload]) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
  return service
}
