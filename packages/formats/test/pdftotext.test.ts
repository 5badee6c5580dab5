import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pdf } from '../src/readers/pdf.ts'

// Manuals as PDF beside pdftotext(1), which nothing here was made from: what stands below a heading
// stands below it there, and few headings have no text. PITH_PDFS names folders of further files.

const isHere = spawnSync('pdftotext', ['-v']).error === undefined
const folders = [
  join(import.meta.dirname, 'fixtures/documents/pdf'),
  '/usr/share/doc',
  ...(process.env['PITH_PDFS']?.split(':') ?? []),
]
const drawn = 30
const maxBytes = 3_000_000

const files = folders
  .filter((folder) => existsSync(folder))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.pdf(?:\.gz)?$/.test(name))
      .map((name) => join(folder, name)),
  )
  .filter((path) => existsSync(path) && statSync(path).size < maxBytes)
  .slice(0, drawn)

const letters = (text: string) => text.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '')

test.runIf(process.env['LONG'] === '1' && isHere)(
  'headings of PDFs stand before the text that they stand before in pdftotext',
  async () => {
    const all = { files: 0, headings: 0, empty: 0, compared: 0, found: 0 }
    const wrong: string[] = []
    for (const path of files) {
      const file = readFileSync(path)
      const bytes = path.endsWith('.gz') ? gunzipSync(file) : file
      const options = { input: bytes, maxBuffer: 2 ** 28, encoding: 'utf8' } as const
      const reference = letters(execFileSync('pdftotext', ['-', '-'], options))
      if (reference === '') continue
      const { sections } = await pdf.read(bytes.toString('latin1'), { url: path })
      if (sections.length < 5) continue
      all.files++
      for (const [at, { title, level, blocks }] of sections.entries()) {
        const next = sections[at + 1]
        if (level > 0) all.headings++
        if (level > 0 && blocks.length === 0 && !(next && next.level > level)) all.empty++
        const text = letters(blocks[0]?.markdown ?? '').slice(0, 20)
        if (level === 0 || text.length < 20 || !reference.includes(text)) continue
        all.compared++
        if (reference.includes(letters(title).slice(-15) + text)) all.found++
        else wrong.push(`${path}: ${title} → ${text}`)
      }
    }
    console.log(JSON.stringify(all), wrong.slice(0, 20).join('\n'))
    expect(all.empty / all.headings).toBeLessThan(0.05)
    expect(all.found / all.compared).toBeGreaterThan(0.9)
  },
  300_000,
)
