import { readdirSync, readFileSync } from 'node:fs'
import { cleanHtml, cleanMarkdown, toMarkdown } from '@pith-mcp/cleaner'
import { expect, test } from 'vitest'

const fixtures = new URL('fixtures/', import.meta.url)

function outline(page: ReturnType<typeof cleanHtml>): string {
  return page.sections
    .map(({ kind, level, id, aliases = [], parent, title }) =>
      [
        `${kind ?? `h${level}`} ${id}`,
        ...aliases.map((alias) => `=${alias}`),
        `(${parent ?? ''})`,
        title,
      ].join(' '),
    )
    .join('\n')
}

test.for(readdirSync(fixtures))('%s', async (name) => {
  const page = cleanHtml(readFileSync(new URL(`${name}/input.html`, fixtures), 'utf8'))
  const facts = `${page.title} [${page.language ?? ''}] ${page.health.region} ${page.health.reason}`
  const output = [facts, outline(page), `${toMarkdown(page)}\n`].join('\n\n')
  await expect(output).toMatchFileSnapshot(`fixtures/${name}/output.md`)
})

const markdown = new URL('markdown-fixtures/', import.meta.url)

test.for(readdirSync(markdown))('%s, from Markdown', async (name) => {
  const page = cleanMarkdown(readFileSync(new URL(`${name}/input.md`, markdown), 'utf8'))
  const output = [page.title, outline(page), `${toMarkdown(page)}\n`].join('\n\n')
  await expect(output).toMatchFileSnapshot(`markdown-fixtures/${name}/output.md`)
})
