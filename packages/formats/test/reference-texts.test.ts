import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { toMarkdown } from '@pith-mcp/cleaner'
import { Marked } from 'marked'
import { expect, test } from 'vitest'
import type { Format } from '../src/format.ts'
import { asciidoc } from '../src/readers/asciidoc.ts'
import { rst } from '../src/readers/rst.ts'

// Documents beside the tools that define their formats, which nothing here was made from: the words of
// docutils and of Asciidoctor's own program are on the page, or its first line counts what is not.
// PITH_DOCUMENTS names folders of further documents.

const folders = [
  join(import.meta.dirname, 'fixtures/documents'),
  '/usr/share/doc',
  '/usr/lib/python3/dist-packages',
  ...(process.env['PITH_DOCUMENTS']?.split(':') ?? []),
]
const drawn = 60
const maxBytes = 60_000

const inDocutils = `
import sys
from docutils.core import publish_parts
source = sys.stdin.read()
options = {'report_level': 5, 'halt_level': 5, 'raw_enabled': False, 'file_insertion_enabled': False}
print(publish_parts(source, writer_name='html', settings_overrides=options)['html_body'])
`
const can = (program: string, ...args: string[]) => spawnSync(program, args).status === 0

function htmlOf(program: string, args: readonly string[], input: string): string {
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 27 } as const
  const { stdout, status } = spawnSync(program, [...args], { ...options, timeout: 60_000 })
  return status === 0 ? stdout : ''
}

const kinds: readonly {
  format: Format
  names: RegExp
  isHere: boolean
  reference: (source: string) => string
  /** What the tool itself refuses, or draws from elsewhere. */
  skipped: RegExp
}[] = [
  {
    format: rst,
    names: /\.rst$/,
    isHere: can('python3', '-c', 'import docutils'),
    reference: (source) => htmlOf('python3', ['-c', inDocutils], source),
    skipped: /class="system-message"|class="problematic"/,
  },
  {
    format: asciidoc,
    names: /\.(?:adoc|asciidoc)$/,
    isHere: can('asciidoctor', '--version'),
    reference: (source) => htmlOf('asciidoctor', ['-e', '-a', 'toc!', '-o', '-', '-'], source),
    skipped: /Unresolved directive/,
  },
]

function drawFiles(names: RegExp): string[] {
  const all = folders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => names.test(name))
        .map((name) => join(folder, name)),
    )
    .filter((path) => existsSync(path) && statSync(path).isFile() && statSync(path).size < maxBytes)
  const every = Math.max(1, Math.floor(all.length / drawn))
  return all.filter((_, at) => at % every === 0)
}

const marked = new Marked()
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const words = (html: string): string[] =>
  html
    .replace(/<(?:style|script|title)\b[\s\S]*?<\/(?:style|script|title)>/g, ' ')
    .replace(/<\/?(?:em|strong|code|a|b|i|span|tt|cite|sup|sub)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name) => entities[name] ?? '')
    .replace(/&#(\d{1,7});/g, (_, code) => String.fromCodePoint(Number(code)))
    .normalize('NFKC')
    .match(/[\p{L}\p{N}]+/gu) ?? []

test.each(kinds)(
  'words of $format.name',
  async ({ format, names, isHere, reference, skipped }) => {
    if (process.env['LONG'] !== '1' || !isHere) return
    const all = { documents: 0, words: 0, lacking: 0 }
    const worst: string[] = []
    for (const path of drawFiles(names)) {
      const source = readFileSync(path, 'utf8')
      const html = reference(source)
      if (html === '' || skipped.test(html)) continue
      const page = await format.read(source, { url: path })
      const left = new Map<string, number>()
      const text = `${page.title} ${marked.parse(toMarkdown(page), { async: false }) as string}`
      for (const word of words(text)) left.set(word, (left.get(word) ?? 0) + 1)
      const lacking = words(html).filter((word) => {
        const count = left.get(word) ?? 0
        left.set(word, count - 1)
        return count <= 0
      })
      all.documents++
      all.words += words(html).length
      if (page.health.unread || page.health.leftOut) continue
      all.lacking += lacking.length
      if (lacking.length > 3) worst.push(`${path}: ${lacking.slice(0, 15).join(' ')}`)
    }
    console.log(format.name, JSON.stringify(all), worst.slice(0, 12).join('\n'))
    expect(all.lacking / Math.max(1, all.words), worst.slice(0, 20).join('\n')).toBeLessThan(0.01)
  },
  300_000,
)
