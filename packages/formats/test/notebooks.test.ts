import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'
import { notebook } from '../src/readers/notebook.ts'

const markdownCell = (source: string, more: object = {}) => ({
  cell_type: 'markdown',
  source,
  ...more,
})
const codeCell = (source: string, ...outputs: object[]) => ({ cell_type: 'code', source, outputs })
const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text })

async function readCells(...cells: object[]) {
  const root = { cells, metadata: { language_info: { name: 'python' } }, nbformat: 4 }
  const page = await notebook.read(JSON.stringify(root), { url: 'a.ipynb' })
  return { markdown: toMarkdown(page), unread: page.health.unread }
}

test('a long output is cut, with the number of its other lines', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => `line ${at + 1}`)
  const { markdown } = await readCells(codeCell('run()', stream(lines.join('\n'))))
  expect(markdown).toContain('Output:\n\n```\nline 1\nline 2\n')
  expect(markdown).toContain('line 60\n```\n\n[40 more lines of output, not read]')
  expect(markdown).not.toContain('line 61')
})

test('a long line of an output is cut, with the number of its other characters', async () => {
  const { markdown } = await readCells(codeCell('run()', stream('x'.repeat(1_000_000))))
  expect(markdown).toContain(`${'x'.repeat(400)} [999600 more characters]\n`)
})

test('images, attachments and outputs without text are counted', async () => {
  const { markdown, unread } = await readCells(
    markdownCell('See ![rope](attachment:rope.png).', { attachments: { 'rope.png': {} } }),
    codeCell('plot()', { data: { 'image/png': 'AAAA', 'text/plain': '<Figure size 6x4>' } }),
    codeCell('plot()', { data: { 'image/svg+xml': '<svg/>', 'text/plain': '6' } }),
    codeCell('table()', { data: { 'text/html': '<table></table>' } }),
  )
  expect(unread).toEqual(['1 attachment', '2 images', '1 output without text'])
  expect(markdown).not.toMatch(/Figure|AAAA|svg/)
  expect(markdown).toContain('Output:\n\n```\n6\n```')
})

test('errors are without the colours of a terminal, and progress bars as they end', async () => {
  const { markdown } = await readCells(
    codeCell('tie()', { ename: 'E', evalue: 'v', traceback: ['\u001b[0;31mE\u001b[0m: v', 'end'] }),
    codeCell('wait()', stream('10 %\r50 %\r100 %\r\n')),
  )
  expect(markdown).toContain('```\nE: v\nend\n```')
  expect(markdown).toContain('```\n100 %\n```')
})

test('code is verbatim, in the language of its cell, whatever stands in it or before it', async () => {
  const { markdown } = await readCells(
    markdownCell('```\nopen\n\n<!-- open'),
    codeCell('a = """\n```\n"""'),
    codeCell('%%bash\nls'),
    { cell_type: 'raw', source: '# raw' },
  )
  expect(markdown).toContain('````python\na = """\n```\n"""\n````')
  expect(markdown).toContain('```bash\n%%bash\nls\n```')
  expect(markdown).toContain('```\n# raw\n```')
})

test.for([
  '{"cells": [',
  '{"'.repeat(500_000),
  `{"cells": ${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
  `{"cells": [${'{"cell_type":"code"},'.repeat(50_000)}{}]}`,
])('a broken or hostile notebook has no text, and says why: %#', async (text) => {
  const page = await notebook.read(text, { url: 'a.ipynb' })
  expect(page.sections).toEqual([])
  const reasons = text.endsWith('{}]}') ? ['45001 cells'] : ['1 file that is not valid JSON']
  expect(page.health.unread ?? []).toEqual(text.includes('[[[') ? [] : reasons)
})
