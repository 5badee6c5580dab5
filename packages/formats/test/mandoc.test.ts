import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { toMarkdown } from '@pith-mcp/cleaner'
import { Marked } from 'marked'
import { expect, test } from 'vitest'
import { man } from '../src/readers/man.ts'

// The manual pages of the system, a draw of those in man and all in mdoc, beside mandoc(1), which
// nothing here was made from: its words, and its signs, are in the page, or the first line counts
// what was not read.

const folder = '/usr/share/man'
const isHere = spawnSync('mandoc', ['-T', 'lint'], { input: '' }).error === undefined
const drawn = 400
/** Of the words of all pages. mandoc numbers lists, joins authors and names standards, by itself. */
const maxLacking = 0.003

function drawPages(): { path: string; source: string }[] {
  const sections = '12345678'.split('').map((section) => join(folder, `man${section}`))
  const paths = sections.flatMap((section) =>
    existsSync(section) ? readdirSync(section).map((name) => join(section, name)) : [],
  )
  const pages = paths
    .filter((path) => path.endsWith('.gz'))
    .flatMap((path) => {
      const bytes = attempt(() => gunzipSync(readFileSync(path)))
      return bytes && bytes.length < 2 ** 17 ? [{ path, source: bytes.toString('utf8') }] : []
    })
    .filter(({ source }) => !/^\.so /m.test(source))
  let seed = 62
  const isDrawn = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return seed / 2 ** 32 < drawn / pages.length
  }
  return pages.filter(({ source }) => /^\.Dd/m.test(source) || isDrawn())
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** One spelling of signs that are set in several ways. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/[‐‑−–—]/g, '-')
    .replace(/[“”]/g, '"')
    .replaceAll('⟨', '<')
    .replaceAll('⟩', '>')

function referenceOf(source: string): string {
  // In mandoc, the quotes of `Ql` are signs.
  const input = source.replace(/\bQl\b/g, 'Li').replace(/^\.(?:St|Lb|UN) .*$/gm, '')
  const options = { input, maxBuffer: 2 ** 28, encoding: 'utf8' } as const
  const text = execFileSync('mandoc', ['-T', 'utf8', '-K', 'utf-8', '-O', 'width=900'], options)
  // The first and the last line are the title and the date.
  const lines = text.replace(/.[\b]/g, '').trim().split('\n').slice(1, -1)
  return plain(lines.join('\n').replace(/[\u2500-\u257f•·∙]/g, ' '))
}

const marked = new Marked()
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const textOf = (markdown: string) =>
  plain(
    (marked.parse(markdown, { async: false }) as string)
      .replace(/<a href="([^"]*)"[^>]*>/g, ' <$1> ')
      .replace(/<\/?(?:em|strong|code|a)>/g, '')
      .replace(/<\/?[a-z][^>]*>/g, ' ')
      .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? ''),
  )

const words = /[\p{L}\p{N}]+/gu
const signs = /[<>&|^{}$%@\\=+≤≥/;?!"]/gu

/** What the text has more often than the other. */
function lacking(reference: string, text: string, pattern: RegExp): string[] {
  const left = new Map<string, number>()
  for (const [match] of text.matchAll(pattern)) left.set(match, (left.get(match) ?? 0) + 1)
  return [...reference.matchAll(pattern)].flatMap(([match]) => {
    const count = left.get(match) ?? 0
    left.set(match, count - 1)
    return count > 0 ? [] : [match]
  })
}

test.runIf(process.env['LONG'] === '1' && isHere)(
  'manual pages have the words and signs that mandoc prints, or count them',
  async () => {
    const all = { pages: 0, words: 0, signs: 0, lackingWords: 0, lackingSigns: 0 }
    const worst: string[] = []
    const pages = drawPages()
    if (pages.length < 30) {
      console.log(`Skipped: ${pages.length} manual pages are installed.`)
      return
    }
    for (const { path, source } of pages) {
      const reference = referenceOf(source)
      const page = await man.read(source, { url: path.replace(/\.gz$/, '') })
      const text = textOf(toMarkdown(page))
      const [lackingWords, lackingSigns] = [words, signs].map((pattern) =>
        page.health.unread || page.health.leftOut ? [] : lacking(reference, text, pattern),
      ) as [string[], string[]]
      all.pages++
      all.words += reference.match(words)?.length ?? 0
      all.signs += reference.match(signs)?.length ?? 0
      all.lackingWords += lackingWords.length
      all.lackingSigns += lackingSigns.length
      const lacks = [...lackingWords, ...lackingSigns]
      if (lacks.length > 5) worst.push(`${path}: ${lacks.slice(0, 20).join(' ')}`)
    }
    console.log(JSON.stringify(all), worst.join('\n'))
    expect(all.lackingWords / all.words, worst.join('\n')).toBeLessThan(maxLacking)
    expect(all.lackingSigns / all.signs, worst.join('\n')).toBeLessThan(maxLacking)
  },
  300_000,
)
