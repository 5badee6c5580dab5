import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'

const folder = 'packages/console/dist/web'
const page = readFileSync(join(folder, 'index.html'), 'utf8')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const sizeOf = (path: string) => statSync(join(folder, path)).size

/** What a browser fetches before it can show a page, as it comes over the wire. */
const first = [
  'index.html',
  ...Array.from(page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g), ([, path]) => path ?? ''),
]

test('the first load is at most 120 kB, and no later part more than 100 kB', () => {
  expect(first.length).toBeGreaterThan(2)
  expect(first.reduce((sum, path) => sum + sizeOf(`${path}.br`), 0)).toBeLessThan(120_000)
  const later = files.filter((path) => path.endsWith('.js.br'))
  expect(Math.max(...later.map(sizeOf))).toBeLessThan(100_000)
})

test('what is compressed is what it was', () => {
  for (const path of first) {
    const plain = readFileSync(join(folder, path))
    expect(brotliDecompressSync(readFileSync(join(folder, `${path}.br`))).equals(plain)).toBe(true)
    expect(gunzipSync(readFileSync(join(folder, `${path}.gz`))).equals(plain)).toBe(true)
  }
})

test('the page holds no script and no style, and names no other host', () => {
  expect(page).not.toMatch(/<style|style="|<script(?![^>]*src=)|(?:src|href)="(?!\.\/)/)
})

test('nothing is made of text by the scripts of ours, and licences of others are with them', () => {
  const source = readdirSync('packages/console/web', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join('packages/console/web', path), 'utf8'))
    .join('\n')
  expect(source).not.toMatch(/dangerouslySetInnerHTML|innerHTML|\beval\(|new Function/)
  expect(readFileSync(join(folder, 'third-party-notices.txt'), 'utf8')).toContain('react-dom')
})
