import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { createDocs, type Docs } from '../src/index.ts'

const filler = 'The ferry leaves the harbour and comes back before the evening of that day. '
const plain = (title: string, text: string) =>
  `<title>${title}</title><main><h1>${title}</h1><p>${text}</p></main>`

const pages: Record<string, string> = {
  'tool-graft.html': `<title>tool-graft(1) Manual Page</title><main><h1>tool-graft(1) Manual Page</h1>
    <h2 id="name">NAME</h2><p>tool-graft - Sets one branch upon the tip of another</p>
    <h2 id="description">DESCRIPTION</h2><p>${filler.repeat(6)}</p></main>`,
  'tool-submodule.html': `<title>tool-submodule(1) Manual Page</title><main><h1>tool-submodule(1) Manual Page</h1>
    <h2 id="options">OPTIONS</h2><dl><dt id="graft">--graft</dt><dd>Graft the recorded state: a graft upon a graft.</dd>
    <dt id="deep">--deep</dt><dd>Goes down.</dd></dl></main>`,
  'toolhooks.html': `<title>toolhooks(5) Manual Page</title><main><h1>toolhooks(5) Manual Page</h1>
    <h2 id="pre-graft">pre-graft</h2><p>Called by tool graft before a graft.</p></main>`,
  'tool-worktree.html': `<title>tool-worktree(1) Manual Page</title><main><h1>tool-worktree(1) Manual Page</h1>
    <h2 id="description">DESCRIPTION</h2><p>${filler.repeat(6)}</p></main>`,
  'trees.html': plain(
    'Trees',
    'A tool worktree is a worktree: tool worktree add, tool worktree list.',
  ),
  'Array/map/index.html': `<title>Array.prototype.map() - Reference</title><main><h1>Array.prototype.map()</h1>
    <p>${filler.repeat(3)}</p><h2 id="use">Use</h2><p>Calls back for each element.</p></main>`,
  'Array/index.html': plain(
    'Array',
    'See Array.prototype.map, which is Array.prototype.map of an Array.',
  ),
  'all.html': plain('All', 'all'),
  'sum.html': `<title>Sums</title><main><h1>Sums</h1><h2 id="all">all</h2><p>${filler}</p></main>`,
  'c.html': plain('C', 'Older than C++. C++ was C with classes, and C++ it is.'),
  'cpp.html': plain('C++', filler.repeat(4)),
  'index.html': plain('', 'The sign <code>=&gt;</code> is an arrow.'),
  'query.html': `<title>Queries</title><main><h1>Queries</h1>
    <h2 id="limit">method yard.Query.limit(count)</h2><p>${filler.repeat(4)}</p>
    <h2 id="most">Yard limit</h2><p>The limit of a limit is a limit.</p></main>`,
  'sorting.html': `<title>Lists</title><main><h1>Lists</h1><h2 id="how">Output sorting</h2><p>${filler.repeat(2)}</p>
    <h2 id="use">Use</h2><p>Ask for sorted output where you need sorted output.</p></main>`,
  'limits.html': `<title>Limits</title><main><h1>Limits</h1>
    <h2 id="other">other_limit (default: $my_limit)</h2><p>As my_limit says: my_limit is my_limit.</p>
    <h2 id="mine">my_limit (number)</h2><p>${filler.repeat(4)}</p>
    <h2 id="long">xkeylen (bits)</h2><p>The keylen of x, as keylen: a keylen.</p>
    <h2 id="key">keylen (bits)</h2><p>${filler.repeat(4)}</p></main>`,
  ...Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`sea-${at}.html`, plain(`Sea ${at}`, filler.repeat(2))]),
  ),
}

const folder = temporaryFolder()
let docs: Docs

beforeAll(async () => {
  for (const [name, html] of Object.entries(pages)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), html)
  }
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

test.each([
  ['graft', 'tool-graft.html'],
  ['tool-graft', 'tool-graft.html'],
  ['tool graft', 'tool-graft.html'],
  ['--graft', 'tool-submodule.html#graft'],
  ['pre-graft', 'toolhooks.html#pre-graft'],
  ['tool worktree', 'tool-worktree.html'],
  ['Array.prototype.map', 'Array/map/index.html'],
  ['map', 'Array/map/index.html'],
  ['sorted output', 'sorting.html#how'],
  ['all', 'sum.html#all'],
  ['C++', 'cpp.html'],
  ['limit', 'query.html#limit'],
  ['my_limit', 'limits.html#mine'],
  ['keylen', 'limits.html#key'],
])('what %s names stands first', async (query, place) => {
  const { hits } = await docs.search(query)
  const [best = { url: '' }] = hits
  expect(place.includes('#') ? best.url : best.url.split('#')[0]).toBe(place)
})
