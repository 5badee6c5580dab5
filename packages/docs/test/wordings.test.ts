import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

const pages: Record<string, string> = {
  'rig.html': `<h1>Rig</h1><h2 id="gaff">Gaff</h2><p>A gaff spreads the head of a sail.</p>
    <h2 id="boom">Boom</h2><p>A boom spreads the foot of a sail.</p><h3 id="vang">Vang</h3><p>A vang holds the boom down.</p>`,
  'hull.html': `<h1>Hull</h1><h2 id="keel">Keel</h2><p>The keel is the lowest timber.</p>`,
  'log.html': `<h1>Log</h1><h2 id="none">Barnacles</h2>`,
  'my yard.html': `<h1>Slipway</h1><h2 id="a b">Cradle</h2><p>Ships slide down on it.</p>`,
  'yard.html': `<h1>Yard</h1><h2 id="spar">Spar</h2><p>${'A spar carries a sail across the ship. '.repeat(200)}</p>`,
}
const folder = temporaryFolder()
let docs: Docs

beforeAll(async () => {
  for (const [path, body] of Object.entries(pages))
    await writeFile(join(folder, path), `<main>${body}</main>`)
  docs = await createDocs({ sources: [folder] })
})

afterAll(() => docs.close())

test('a section that several wordings find comes first', async () => {
  const { hits, queries, lead } = await docs.search(['foot of a sail', 'boom', 'lowest timber'])
  expect(queries).toEqual(['foot of a sail', 'boom', 'lowest timber'])
  expect(hits[0]?.url).toBe('rig.html#boom')
  expect(hits.map(({ url }) => url)).toContain('hull.html#keel')
  expect(lead).toBe(1)
})

test('one wording is ranked as it is alone', async () => {
  const alone = await docs.search('foot of a sail')
  expect(await docs.search(['foot of a sail', 'foot of a sail'])).toEqual(alone)
})

test('no wording, an empty one and a fifth one are errors', async () => {
  for (const queries of [[], ['gaff', ' '], ['a', 'b', 'c', 'd', 'e']])
    await expect(docs.search(queries)).rejects.toMatchObject({ code: 'bad_argument' })
})

test('sections of all pages are shown whole, in part and by name, within the tokens', async () => {
  const { hits, matchingSections } = await docs.search('gaff boom sail', { maxTokens: 2_000 })
  const sections = hits.flatMap((hit) => hit.sections)
  const of = (id: string) => sections.find((section) => section.id === id)
  expect(matchingSections).toBeGreaterThanOrEqual(sections.length)
  expect(of('gaff')).toMatchObject({ isWhole: true, text: 'A gaff spreads the head of a sail.' })
  // It has a subsection that is not in its text.
  expect(of('boom')).toMatchObject({ isWhole: false, text: 'A boom spreads the foot of a sail.' })
  const [page] = (await docs.search('sail carries ship', { maxTokens: 2_000 })).hits
  expect(page?.sections[0]).toMatchObject({ id: 'spar', isWhole: false })
  expect(page?.sections[0]?.text).toMatch(/^A spar[\s\S]*…$/)
  expect(page?.sections[0]?.tokens).toBeGreaterThan(1_000)
  const few = await docs.search('gaff boom sail', { maxTokens: 100 })
  const texts = few.hits.flatMap((hit) => hit.sections.map(({ text }) => text))
  expect(texts.filter((text) => text !== '').length).toBeLessThan(
    sections.filter(({ text }) => text !== '').length,
  )
  expect(texts).toContain('')
})

test('words that no section shown has are told, if they are a third of the query', async () => {
  expect((await docs.search('lowest timber of the gaff')).missing).toEqual([])
  const { missing } = await docs.search('gaff carries rowlock')
  expect(missing).toEqual(['rowlock'])
  // The title of its page counts as its own.
  expect((await docs.search('hull timber')).missing).toEqual([])
  // What a word was taken for is told apart.
  const repaired = await docs.search('lowest timbre')
  expect(repaired.repairs.map(({ word }) => word)).toEqual(['timbre'])
  expect(repaired.missing).toEqual([])
  // Of several wordings, of the one that is met best.
  expect((await docs.search(['gaff rowlock', 'gaff'])).missing).toEqual([])
})

test('sections of several pages come in one budget, by their addresses', async () => {
  const { sections, missing } = await docs.sections('rig.html', [
    'gaff',
    'hull.html#keel',
    'x.html#y',
  ])
  expect(sections.map(({ url, id, pageTitle }) => [url, id, pageTitle])).toEqual([
    ['rig.html', 'gaff', 'Rig'],
    ['hull.html', 'keel', 'Hull'],
  ])
  expect(missing.map(({ name }) => name)).toEqual(['x.html#y'])
  const spaced = await docs.sections('rig.html', ['gaff', 'my yard.html#a%20b'])
  expect(spaced.sections.map(({ id }) => id)).toEqual(['gaff', 'a b'])
  const other = Array.from({ length: 9 }, (_, at) => `page-${at}.html#a`)
  const tooMany = await docs.sections('rig.html', ['gaff', ...other])
  expect(tooMany.missing.at(-1)?.remedy).toContain('another call')
})

test('sections inside a section that is shown are neither counted nor named again', async () => {
  const found = await docs.find('rig.html', 'boom spreads foot vang')
  const [first] = found.sections
  expect(first).toMatchObject({ id: 'boom', isWhole: true })
  expect(first?.markdown).toContain('A vang holds the boom down.')
  const ids = [...found.sections, ...found.near].map(({ id }) => id)
  expect(ids).not.toContain('vang')
  expect(found.matches).toBe(2)
  const few = await docs.find('rig.html', 'spreads sail', { maxSections: 1 })
  expect(few).toMatchObject({ bound: 'maxSections', matches: 2 })
  expect(few.near).toHaveLength(1)
})

test('a section that is only a heading is found', async () => {
  const { sections } = await docs.find('log.html', 'barnacles')
  expect(sections.map(({ id }) => id)).toEqual(['none'])
})
