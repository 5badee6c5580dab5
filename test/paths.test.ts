import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/**
 * Questions of someone who sees the repository for the first time, and the words they would grep the
 * list of files for. Folder and file names alone have to lead to the place.
 */
const questions: readonly [question: string, word: RegExp, place: string][] = [
  ['where is a page token checked', /page-token/, 'packages/paginator/src/page-token.ts'],
  ['where is the SSRF guard', /ssrf/, 'packages/ssrf-guard/src/resolve-allowed.ts'],
  ['where does fetching use the SSRF guard', /ssrf/, 'packages/fetch/src/ssrf-guard.ts'],
  [
    'where does a batch resolve references',
    /batch.*reference/,
    'packages/aggregator/src/tools/batch/references.ts',
  ],
  [
    'where is a site adapter added',
    /site-search.*(all|sites)/,
    'packages/sites/src/site-search/all-sites.ts',
  ],
  [
    'where is a profile of a generator added',
    /profile.*generator/,
    'packages/cleaner/src/profile/site-generators.ts',
  ],
  ['where is a language added', /languages\/all/, 'packages/code/src/languages/all-languages.ts'],
  [
    'where is a client added',
    /clients\/(clients|all-clients)/,
    'packages/server-kit/src/clients/all-clients.ts',
  ],
  ['where is the retry policy', /retry/, 'packages/fetch/src/retry.ts'],
  ['where is backoff', /backoff/, 'packages/aggregator/src/catalog/backoff.ts'],
  ['how long is a page cached', /cache.*(ttl|fresh)/, 'packages/docs/src/page/cache/freshness.ts'],
  ['where are secrets redacted', /redact/, 'packages/servers/src/secrets/redactor.ts'],
  [
    'where is a request authenticated',
    /\/auth\//,
    'packages/server-kit/src/http/auth/authenticator.ts',
  ],
  [
    'where is the timeout of a call',
    /timeout|deadline/,
    'packages/servers/src/connection/deadline.ts',
  ],
  ['where are the settings of a server', /settings\.ts$/, 'apps/docs-mcp/src/settings.ts'],
  ['where is a reply kept within its size', /reply-limit/, 'apps/docs-mcp/src/reply-limit.ts'],
  [
    'where are calls limited by rate',
    /rate-limit/,
    'packages/aggregator/src/call/limits/rate-limiter.ts',
  ],
  ['where is stderr throttled', /throttle/, 'packages/aggregator/src/upstream/process/throttle.ts'],
  [
    'where are the synonyms of the ranker',
    /synonyms/,
    'packages/scorer/src/terms/synonyms/same-words.ts',
  ],
]

/** A word may lead to this many folders, so that the place is seen among them. */
const maxFolders = 12

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(packages|apps)\/[^/]+\/src\//.test(file))

test.for(questions)('%s', ([, word, place]) => {
  const hits = files.filter((file) => word.test(file))
  expect(hits).toContain(place)
  const folders = new Set(hits.map((file) => file.replace(/\/[^/]*$/, '')))
  expect(folders.size).toBeLessThanOrEqual(maxFolders)
})
