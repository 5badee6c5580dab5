import { describe, expect, test } from 'vitest'
import { commentLines } from '../src/describe/comment-lines.ts'
import { documentOf } from '../src/describe/document.ts'
import { rankFiles, termsOfQuery } from '../src/describe/rank-files.ts'
import { rankDescribed } from '../src/describe/rank-symbols.ts'
import { nameOf } from '../src/describe/words.ts'

/** A symbol for each `function name` of a text, to the next blank line. */
function symbolsOf(text: string) {
  return [...text.matchAll(/function (\w+)[\s\S]*?(?=\n\n|$)/g)].map(
    ({ 0: all, 1: name = '', index }) => ({
      name,
      parent: -1,
      start: index,
      end: index + all.length,
    }),
  )
}

/** The files as an index has them, with the postings of a query. */
function indexOf(query: string, texts: Readonly<Record<string, string>>) {
  const paths = Object.keys(texts)
  const postings = new Map<string, { base: number; values: number[] }[]>()
  const filesOfTerm = new Map<string, number>()
  paths.forEach((path, file) => {
    const text = texts[path] as string
    const terms = documentOf({ path, text, symbols: symbolsOf(text) })
    for (const term of termsOfQuery(query)) {
      const byte = terms.get(term)
      if (byte === undefined) continue
      // A batch each.
      const batches = postings.get(term) ?? []
      postings.set(term, batches)
      batches.push({ base: file, values: [byte] })
    }
    for (const term of nameOf(path)) filesOfTerm.set(term, (filesOfTerm.get(term) ?? 0) + 1)
  })
  return {
    count: paths.length,
    last: paths.length - 1,
    path: (file: number) => paths[file],
    named: (term: string) => filesOfTerm.get(term) ?? 0,
    postings,
  }
}

function find(query: string, texts: Readonly<Record<string, string>>): (string | undefined)[] {
  const index = indexOf(query, texts)
  return rankFiles(query, index, 10).files.map(({ file }) => index.path(file))
}

const other = { 'src/other.ts': 'const other = 1', 'src/more.ts': 'const more = 2' }

describe('a description', () => {
  test('finds the file that is named so before one that mentions it as often', () => {
    const text = 'function run() { return recover(panic) }'
    const texts = { 'src/server.go': text, 'src/recovery.go': text, ...other }
    expect(find('panic recovery middleware', texts)).toEqual(['src/recovery.go', 'src/server.go'])
  })

  test('finds words in other forms, and parts of names', () => {
    const texts = { ...other, 'src/a.ts': 'function writeJsonValues() { serialize() }' }
    expect(find('serialization of a JSON value', texts)).toEqual(['src/a.ts'])
    expect(find('how write_json_values works', texts)).toEqual(['src/a.ts'])
  })

  test('finds words of a comment before the same words in the code', () => {
    const texts = {
      ...other,
      'src/a.ts': 'const shared = 1\nconst heap = shared',
      'src/b.ts': '// Shared between all.\n// A heap.\nconst x = 1',
    }
    expect(find('shared heap', texts)).toEqual(['src/b.ts', 'src/a.ts'])
  })

  test('finds words in other scripts', () => {
    const texts = { ...other, 'src/a.ts': '// 接続プール\nconst x = 1 // mañana' }
    expect(find('接続プール', texts)).toEqual(['src/a.ts'])
    expect(find('mañana', texts)).toEqual(['src/a.ts'])
  })

  test('of one name finds the file that defines it before those that use it', () => {
    const texts = {
      ...other,
      'src/a.ts': 'Router(); Router(); Router(); Router(); Router()',
      'src/b.ts': 'function Router() {}',
    }
    expect(find('Router', texts)).toEqual(['src/b.ts', 'src/a.ts'])
  })

  test('finds tests after the code', () => {
    const text = 'function compress() {}'
    for (const path of ['a/compress_test.go', '_examples/compress.go', 'a/CompressTest.java'])
      expect(find('compress responses', { [path]: text, 'b/compress.go': text })[0]).toBe(
        'b/compress.go',
      )
    expect(find('compress', { 'src/latest.ts': text, 'src/z.ts': text })[0]).toBe('src/latest.ts')
  })

  test('of words that say nothing is read as it is, and one of unknown words finds nothing', () => {
    const texts = { ...other, 'src/a.ts': 'function with() {}' }
    expect(find('with', texts)).toEqual(['src/a.ts'])
    expect(find('quantum chromodynamics', texts)).toEqual([])
    expect(find('', texts)).toEqual([])
  })
})

test('a description finds the symbol with the comment above it, and the innermost one', () => {
  const text = `// Opens a socket.
function connect() { return tls() }

// Waits for the retry of a request.
function wait() {
  backoff()
}
`
  const outer = { name: 'all', parent: -1, start: 0, end: text.length }
  const symbols = [outer, ...symbolsOf(text).map((symbol) => ({ ...symbol, parent: 0 }))]
  const namesOf = (query: string): (string | undefined)[] => {
    const { weights } = rankFiles(query, indexOf(query, { 'a.ts': text, ...other }), 1)
    return rankDescribed(weights, text, symbols).map((symbol) => symbols[symbol]?.name)
  }
  expect(namesOf('retry a request')).toEqual(['wait'])
  expect(namesOf('backoff')).toEqual(['wait'])
  expect(namesOf('open a TLS socket')).toEqual(['connect'])
})

test('the files of a batch are differences, and a file that is gone is not found', () => {
  const index = indexOf('socket', { 'a.ts': 'socket', 'b.ts': 'socket', ...other })
  const postings = new Map([['socket', [{ base: 10, values: [100, (990 << 8) | 50] }]]])
  const find = (path: (file: number) => string | undefined) =>
    rankFiles('socket', { ...index, last: 1000, postings, path }, 10).files.map(({ file }) => file)
  expect(find((file) => `${file}.ts`)).toEqual([10, 1000])
  expect(find((file) => (file === 10 ? undefined : `${file}.ts`))).toEqual([1000])
})

test('lines of comments are told by how they begin', () => {
  const text = [
    '// a yes',
    'code() // b no',
    '/* c yes',
    'd yes',
    '*/ e yes',
    'f no',
    '# g yes',
    '#define h no',
    '  -- i yes',
    '--j no',
    '/* k yes */',
    'l no',
  ]
  const whole = text.join('\n')
  const isComment = commentLines(whole)
  for (const match of whole.matchAll(/(\w) (yes|no)/g))
    expect([match[1], isComment(match.index)]).toEqual([match[1], match[2] === 'yes'])
})
