import { afterAll, expect, test } from 'vitest'
import { createDocs } from '../src/index.ts'

/** Questions, and the sections of the manual in fixtures/manual/ that answer them. */
const questions: readonly [question: string, ...answers: string[]][] = [
  ['which local files can be read', 'access.md#files'],
  ['restrict pages to one host', 'access.md#hosts'],
  ['read documentation behind a login with a token', 'access.md#private-documentation'],
  ['maximum size and number of redirects of a request', 'access.md#limits'],
  ['approve a new tool', 'approval.md#new-tools'],
  ['stop pinning tool definitions', 'approval.md#turn-it-off'],
  ['find a function from the shell', 'code.md#try-it-in-a-shell'],
  ['how long is a page of a function', 'code.md#what-a-page-looks-like', 'code.md#settings'],
  ['supported programming languages', 'code.md#languages'],
  ['are files with secrets read', 'code.md#what-can-be-read'],
  ['environment variables of code-mcp', 'code.md#settings'],
  ['content_changed error', 'code.md#errors'],
  ['search documentation from the command line', 'command-line.md#search-and-read'],
  [
    'index all pages in advance',
    'command-line.md#set-up-and-maintain-a-server',
    'search.md#indexing',
  ],
  ['where is the configuration file', 'command-line.md#configuration-file'],
  ['add the server to any client', 'connect-a-client.md#any-client-add'],
  ['claude desktop setup', 'connect-a-client.md#claude-desktop'],
  ['use it in Cursor', 'connect-a-client.md#cursor'],
  ['vs code mcp.json', 'connect-a-client.md#vs-code'],
  ['codex config.toml', 'connect-a-client.md#codex'],
  ['gemini settings', 'connect-a-client.md#gemini-cli'],
  ['opencode configuration', 'connect-a-client.md#opencode'],
  ['what can I pass as a source', 'connect-a-client.md#what-a-source-can-be'],
  ['how to uninstall', 'connect-a-client.md#uninstall'],
  ['the client shows no tools, what to check', 'connect-a-client.md#troubleshooting'],
  [
    'make the agent use the documentation by itself',
    'connect-a-client.md#tell-the-agent-when-to-use-it',
  ],
  ['which protocol revisions are served', 'connect-a-client.md#protocol-versions'],
  ['pages of the console', 'console.md#pages'],
  ['REST API of the aggregator', 'console.md#api'],
  ['is the console protected against other sites', 'console.md#security'],
  ['who changed the configuration', 'journal.md#changes-by-administrators'],
  ['how many characters does one reply have', 'long-texts.md#budgets'],
  ['continue a cut text with a token', 'long-texts.md#page-tokens'],
  ['why are code examples missing', 'long-texts.md#code-blocks'],
  ['prometheus metrics', 'observability.md#metrics'],
  ['spans and trace context', 'observability.md#traces'],
  ['log format JSON', 'observability.md#logs'],
  ['read only one section', 'read-a-page.md#one-section-get_doc_section'],
  ['list the headings of a page', 'read-a-page.md#table-of-contents-get_doc_toc'],
  ['read the whole page', 'read-a-page.md#the-whole-page-get_doc_content'],
  ['which pages should I read next', 'read-a-page.md#related-pages-recommend_docs'],
  ['where is the cache and how long is it fresh', 'read-a-page.md#caching'],
  ['prompt injection in quoted pages', 'read-a-page.md#quoted-text'],
  ['are pages available as resources', 'read-a-page.md#resources-and-the-prompt'],
  ['what is stored in PostgreSQL and what in Redis', 'replicas.md#what-lives-where'],
  ['what happens when the database is down', 'replicas.md#when-an-engine-is-down'],
  ['backup and restore', 'replicas.md#update-backup-restore'],
  ['sandbox options for files and network', 'sandbox.md#options'],
  ['install bubblewrap', 'sandbox.md#bubblewrap'],
  ['run servers with a command of my own as a sandbox', 'sandbox.md#custom-command'],
  ['search inside one page', 'search.md#one-page-search_in_doc'],
  ['find a row of a table', 'search.md#tables-search_table'],
  ['semantic search with embeddings', 'search.md#by-meaning'],
  ['how are results ranked', 'search.md#ranking'],
  ['is my query sent to a third party', 'sites.md#privacy'],
  ['which sites are known by name', 'sites.md#known-sites'],
  ['algolia or typesense search of a site', 'sites.md#known-services', 'sites.md#settings'],
  ['create an access token', 'team.md#tokens'],
  ['sign in with an OAuth authorization server', 'team.md#oauth'],
  ['certificate and private key for HTTPS', 'team.md#tls'],
  ['nginx in front of the server', 'team.md#behind-a-reverse-proxy'],
  ['docker image', 'team.md#in-a-container'],
  ['status 429 or 401', 'team.md#rejected-requests'],
]

const docs = await createDocs({ sources: [new URL('fixtures/manual', import.meta.url).pathname] })
afterAll(() => docs.close())

/** The place of the first section that answers, from 1; undefined if none of ten does. */
async function placeOf([question, ...answers]: (typeof questions)[number]) {
  const { hits } = await docs.search(question, { maxResults: 10 })
  const at = hits.findIndex(({ url }) => answers.some((answer) => url.endsWith(answer)))
  return at < 0 ? undefined : at + 1
}

/** Mean reciprocal rank, in percent. Set again when bench/docs shows that a change is better. */
const meanPercent = 62.8

test('the mean reciprocal rank of the questions is as it was', async () => {
  let sum = 0
  for (const question of questions)
    sum += 1 / ((await placeOf(question)) ?? Number.POSITIVE_INFINITY)
  const percent = (100 * sum) / questions.length
  expect(
    Math.abs(percent - meanPercent),
    `${percent.toFixed(1)} %, was ${meanPercent} %`,
  ).toBeLessThan(0.5)
})
