import { describe, expect, test } from 'vitest'
import { documentOf } from '../src/describe/document.ts'
import { eachPosting, packPostings } from '../src/describe/postings.ts'
import { rankFiles, weigh } from '../src/describe/rank-files.ts'
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

const commentsOf = (text: string): number[] =>
  [...text.matchAll(/\/\/.*/g)].flatMap(({ 0: all, index }) => [index, index + all.length])

/** The files as an index has them. */
function indexOf(texts: Readonly<Record<string, string>>) {
  const paths = Object.keys(texts)
  const terms = new Map<string, { files: number[]; bytes: number[] }>()
  const named = new Map<string, number>()
  paths.forEach((path, file) => {
    const text = texts[path] as string
    const words = documentOf({ path, text, symbols: symbolsOf(text), comments: commentsOf(text) })
    for (const [term, byte] of words) {
      const list = terms.get(term) ?? { files: [], bytes: [] }
      terms.set(term, list)
      list.files.push(file)
      list.bytes.push(byte)
    }
    for (const term of nameOf(path)) named.set(term, (named.get(term) ?? 0) + 1)
  })
  return {
    count: paths.length,
    path: (file: number) => paths[file] as string,
    named: (term: string) => named.get(term) ?? 0,
    postings(term: string) {
      const list = terms.get(term)
      return list && packPostings(list.files, list.bytes)
    },
  }
}

function find(query: string, texts: Readonly<Record<string, string>>): string[] {
  const index = indexOf(texts)
  return rankFiles(query, index, 10).map(({ file }) => index.path(file))
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
    const texts = { ...other, 'src/a.ts': '// 接続プール\nconst x = 1 // größe' }
    expect(find('接続プール', texts)).toEqual(['src/a.ts'])
    expect(find('größe', texts)).toEqual(['src/a.ts'])
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
    for (const path of ['a/compress_test.go', 'test/compress.go', 'a/CompressTest.java'])
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
  const index = indexOf({ 'a.ts': text, ...other })
  const namesOf = (query: string): (string | undefined)[] =>
    rankDescribed(weigh(query, index), { text, symbols, comments: commentsOf(text) }).map(
      (symbol) => symbols[symbol]?.name,
    )
  expect(namesOf('retry a request')).toEqual(['wait'])
  expect(namesOf('backoff')).toEqual(['wait'])
  expect(namesOf('open a TLS socket')).toEqual(['connect'])
})

test('packed postings are read as they were written', () => {
  const files = [0, 1, 127, 128, 255, 256, 16_384, 16_385, 40_000, 5_000_000]
  const bytes = files.map((_, index) => (index * 37) % 256)
  const read: [number, number][] = []
  eachPosting(packPostings(files, bytes), (file, byte) => read.push([file, byte]))
  expect(read).toEqual(files.map((file, index) => [file, bytes[index]]))
})
