import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { createDocs } from '@pith-mcp/docs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'
import { pdf } from '../../formats/src/readers/pdf.ts'
import { html, startSite } from './loopback-site.ts'
import { type Placed, pdfOf, pdfWith, stream } from './pdf-file.ts'

const fixture = (name: string): Buffer =>
  readFileSync(
    fileURLToPath(new URL(`../../formats/test/fixtures/documents/pdf/${name}`, import.meta.url)),
  )

async function openFolder(files: Record<string, Buffer>) {
  const folder = temporaryFolder(onTestFinished)
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(async () => {
    await docs.close()
  })
  return docs
}

const textOf = async (bytes: Buffer): Promise<string> => {
  const page = await pdf.read(bytes.toString('latin1'), { url: 'file:///a.pdf' })
  return page.sections.flatMap(({ blocks }) => blocks.map(({ markdown }) => markdown)).join('\n\n')
}

test('a page is named by its number, in both ways, and by the titles on it', async () => {
  const docs = await openFolder({ 'quilt.pdf': fixture('quilt.pdf') })
  for (const name of ['#page-9', '#page=9', '#5-5-forking'])
    expect((await docs.section(`quilt.pdf${name}`, undefined)).section.title).toBe('5.5 Forking')
  const { hits } = await docs.search('snapshot of the working directory')
  expect(hits[0]?.url).toMatch(/^quilt\.pdf#5-7-advanced-diffing$/)
})

test('a PDF of a site is read whatever type the server sends, and has the facts of its pages', async () => {
  const body = fixture('mom-pdf.pdf')
  const send = (type: string) => (_: unknown, response: import('node:http').ServerResponse) =>
    response.writeHead(200, { 'content-type': type }).end(body)
  const site = await startSite({
    '/a': send('application/pdf'),
    '/b': send('text/html'),
    '/': html('<main>x</main>'),
  })
  onTestFinished(() => site.close())
  const docs = await createDocs({ sources: [`${site.url}/`] })
  onTestFinished(() => docs.close())
  for (const path of ['a', 'b']) {
    const { origin, markdown } = await docs.section(`${site.url}/${path}`, '6.2. pdfmom')
    expect(origin.unread).toEqual([
      '12 lines repeated on the pages',
      '21 lines of a table of contents',
    ])
    expect(markdown).toContain('trouble-free way to generate PDF documents')
  }
})

const column = (x: number, word: string): Placed[] =>
  Array.from({ length: 14 }, (_, at) => [
    x,
    700 - at * 12,
    10,
    `${word}${at} fills all of its column here`,
  ])

test('two columns are read one after the other, between lines that cross them', async () => {
  const text = await textOf(
    pdfWith([
      [
        [
          60,
          760,
          10,
          'A line over both of the columns, as the title of a paper and its authors have it.',
        ],
        ...column(60, 'left').flatMap((line, at) => [line, column(320, 'right')[at] ?? line]),
        [60, 500, 10, 'A last line over both of the columns, which the text of both comes before.'],
      ],
    ]),
  )
  const order = ['A line', 'left0', 'left13', 'right0', 'right13', 'A last line']
  const places = order.map((part) => text.indexOf(part))
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a hyphen at the end of a line stays in words that have it elsewhere', async () => {
  const text = await textOf(
    pdfWith([
      [
        [60, 700, 10, 'The key-'],
        [60, 688, 10, 'word is host-'],
        [60, 676, 10, 'specific, and host-specific it stays.'],
      ],
    ]),
  )
  expect(text).toContain('The keyword is host-specific, and host-specific it stays.')
})

const encryption =
  '/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <2055c756c72e1ad702608e8196acad447ad32d17cff583235f6dd15fed7dab67> /U <2055c756c72e1ad702608e8196acad447ad32d17cff583235f6dd15fed7dab67> >> /ID [<00><00>]'
const catalog = '<< /Type /Catalog /Pages 2 0 R >>'

test.for([
  ['scanned', pdfWith([[], [], []]), /has 3 pages and no text: it was scanned/],
  ['encrypted', pdfWith([[[60, 700, 10, 'x']]], encryption), /is encrypted/],
  ['cut off', fixture('quilt.pdf').subarray(0, 90_000), /is damaged|no text/],
  ['not a PDF after its first line', Buffer.from('%PDF-1.7\nnothing'), /is damaged/],
  [
    'whose tree of pages is a circle',
    pdfOf([catalog, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 3 >>']),
    /is damaged/,
  ],
] as const)('a PDF that is %s is a clear error', async ([, bytes, message]) => {
  const docs = await openFolder({ 'a.pdf': bytes })
  await expect(docs.content('a.pdf')).rejects.toMatchObject({
    code: 'unsupported_type',
    message: expect.stringMatching(message),
  })
})

test('bookmarks in a circle end', async () => {
  const text = stream('BT /F1 10 Tf 60 300 Td (Tie a bowline.) Tj ET')
  const bytes = pdfOf([
    '<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>',
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
    text,
    '<< /First 7 0 R /Last 7 0 R /Count 1 >>',
    '<< /Title (Knots) /Parent 6 0 R /Next 7 0 R /First 7 0 R /Dest [4 0 R /Fit] >>',
  ])
  const { sections } = await pdf.read(bytes.toString('latin1'), { url: 'file:///a.pdf' })
  expect(sections.map(({ title }) => title)).toEqual(['Knots'])
})

test('without the optional package, files are counted as not read, and reading one names it', async () => {
  vi.spyOn(pdf, 'isMissing').mockReturnValue(true)
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const docs = await openFolder({
    'quilt.pdf': fixture('quilt.pdf'),
    'a.md': Buffer.from('# Knots\n\nTie a bowline.'),
  })
  const { sources } = await docs.search('bowline')
  expect(sources[0]?.ignored).toBe('1 .pdf')
  await expect(docs.content('quilt.pdf')).rejects.toMatchObject({
    message: expect.stringContaining('optional package pdfjs-dist is not installed'),
    remedy: expect.stringContaining('Install pdfjs-dist'),
  })
})

describe.runIf(process.env['LONG'] === '1')('hostile in size', { timeout: 120_000 }, () => {
  test('of very many pages, the first are read and the others counted', async () => {
    const kids = '4 0 R '.repeat(100_000)
    const bytes = pdfOf([
      catalog,
      `<< /Type /Pages /Kids [${kids}] /Count 100000 >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
      stream(
        'BT /F1 10 Tf 60 300 Td (A knot is on each of the pages.) Tj 0 -90 Td (And an end.) Tj ET',
      ),
    ])
    const page = await pdf.read(bytes.toString('latin1'), { url: 'file:///a.pdf' })
    const [left = ''] = page.health.unread?.filter((text) => text.endsWith(' pages')) ?? []
    expect(Number.parseInt(left, 10)).toBeGreaterThanOrEqual(98_000)
  })

  test('a stream that inflates to a thousand times its size ends', async () => {
    const bomb = deflateSync(Buffer.alloc(200 * 2 ** 20, ' ')).toString('latin1')
    const bytes = pdfOf([
      catalog,
      '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 5 0 R >>',
      stream(bomb, '/Filter /FlateDecode'),
    ])
    await expect(textOf(bytes)).rejects.toThrow('no text')
  })
})
