import { toMarkdown } from '@pith-mcp/cleaner'
import { expect, test, vi } from 'vitest'
import { asciidoc } from '../src/readers/asciidoc.ts'

async function readAsciidoc(text: string) {
  const page = await asciidoc.read(text, { url: 'a.adoc' })
  return { page, markdown: toMarkdown(page), unread: page.health.unread }
}

test('code, tables and notes are kept, and includes are not followed', async () => {
  const { page, markdown, unread } = await readAsciidoc(
    '= Ropes\n:toc:\n\ninclude::/etc/passwd[]\n\n== Knots\n\nNOTE: Take care.\n\n[source,ruby]\n----\nputs "1 < 2"\n----\n\n|===\n|Name |Use\n\n|a |b\n|===\n\nlink:x.adoc[X]\n',
  )
  expect(page.sections.map(({ id, title }) => [id, title])).toEqual([
    ['ropes', 'Ropes'],
    ['_knots', 'Knots'],
  ])
  expect(markdown).toContain('[Not included: /etc/passwd]')
  expect(markdown).not.toContain('root:')
  expect(markdown).toContain('Take care.')
  expect(markdown).toContain('```ruby\nputs "1 < 2"\n```')
  expect(markdown).toContain('|Name|Use|\n|-|-|\n|a|b|')
  expect(unread).toEqual(['1 included file'])
})

test('without Asciidoctor, a page is an error that names it', async () => {
  const missing = vi.spyOn(asciidoc, 'isMissing').mockReturnValue(true)
  await expect(readAsciidoc('= Ropes\n')).rejects.toThrow(
    '"a.adoc" is AsciiDoc, and the optional package @asciidoctor/core is not installed.',
  )
  missing.mockRestore()
})

test('links lead to their pages', () => {
  const links = asciidoc.links(
    'xref:b.adoc[B] and https://x.example/[X], link:file:///etc/passwd[no]',
    'https://docs.example/guide/a.adoc',
  )
  expect(links.map(({ url, title }) => [url, title])).toEqual([
    ['https://docs.example/guide/b.adoc', 'B'],
    ['https://x.example/', 'X'],
  ])
})

const doubled = Array.from({ length: 40 }, (_, at) => `:a${at + 1}: {a${at}}{a${at}}`)

test.for([
  'x'.repeat(1_000_000),
  '*'.repeat(100_000),
  '= \n'.repeat(20_000),
  `:a0: word\n${doubled.join('\n')}\n\n{a40}`,
  Array.from({ length: 2_000 }, () => `${'*'.repeat(50)} a`).join('\n'),
])('a hostile text is read in bounded work: %#', async (text) => {
  const { markdown } = await readAsciidoc(`Text.\n\n${text}`)
  expect(markdown.length).toBeLessThan(4_000_000)
})
