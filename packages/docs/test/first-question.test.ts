import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocs } from '@pith-mcp/docs'
import { expect, test } from 'vitest'

/** Pages of a folder; the words of `planted` are in the page of that number. */
async function folderOf(count: number, planted: Readonly<Record<number, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pith-first-'))
  const text = '<p>The crew of each boat checks the engine before it leaves the harbour.</p>'
  for (let page = 0; page < count; page++)
    await writeFile(
      join(folder, `${String(page).padStart(4, '0')}.html`),
      `<main><h1>Trip ${page}</h1>${text.repeat(40)}<p>${planted[page] ?? ''}</p></main>`,
    )
  return folder
}

const pages = process.env['LONG'] ? 530 : 60

test('the first question of a folder finds a word of any page, before all are read', async () => {
  const folder = await folderOf(pages, { [pages - 1]: 'Painted in Plovertail red.', 3: 'Wrasses' })
  const docs = await createDocs({ sources: [folder] })
  try {
    const { hits, sources } = await docs.search('plovertail')
    expect(hits[0]?.url).toContain(`${pages - 1}.html`)
    // The other pages wait, so that an answer costs what it needs.
    if (process.env['LONG']) expect(sources[0]?.isComplete).toBe(false)
    const [other] = (await docs.search('wrasse')).hits
    expect(other?.url).toContain('0003.html')
  } finally {
    await docs.close()
    await rm(folder, { recursive: true })
  }
})

test('pages that cannot be read are named, those like the query first', async () => {
  const folder = await folderOf(2, {})
  await writeFile(join(folder, 'anchors.html'), '')
  await writeFile(join(folder, 'mooring-lines.html'), '')
  const docs = await createDocs({ sources: [folder] })
  try {
    const { sources } = await docs.search('mooring')
    expect(sources[0]).toMatchObject({ failed: 2 })
    expect(sources[0]?.unreadable[0]?.url).toBe('mooring-lines.html')
    expect(sources[0]?.unreadable[0]?.problem).toMatch(/no text/)
  } finally {
    await docs.close()
    await rm(folder, { recursive: true })
  }
})
