import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocs, type Docs } from '@pith-mcp/docs'
import { expect, onTestFinished, test } from 'vitest'
import { countFileCalls } from '../../base/test/count-file-calls.ts'
import { temporaryFolder } from '../../base/test/temporary-folder.ts'

async function docsOf(others: number): Promise<{ docs: Docs; folder: string }> {
  const folder = temporaryFolder(onTestFinished)
  await mkdir(join(folder, 'part'))
  for (let at = 0; at < others; at++)
    await writeFile(join(folder, `part/other${at}.md`), `# Other ${at}\n\nText of it.\n`)
  await writeFile(join(folder, 'own.md'), '# Buoys\n\nAbout anchors.\n')
  const docs = await createDocs({ sources: [folder] })
  onTestFinished(() => docs.close())
  return { docs, folder }
}

test.skipIf(process.platform !== 'linux')(
  'a search looks at as many files among 200 pages as among 20',
  async () => {
    const counts: number[] = []
    for (const others of [20, 200]) {
      const { docs } = await docsOf(others)
      const search = () => docs.search('buoys anchors')
      await search()
      counts.push(await countFileCalls(search))
    }
    // A listing looks at 180 more files.
    expect(Math.abs((counts[1] ?? 0) - (counts[0] ?? 0))).toBeLessThan(5)
  },
)

test('what is written, changed and removed is found by the next search', async () => {
  const { docs, folder } = await docsOf(1)
  const found = async (query: string) => (await docs.search(query)).hits.map(({ url }) => url)
  expect(await found('dinghy')).toEqual([])
  await mkdir(join(folder, 'new'))
  await writeFile(join(folder, 'new/page.md'), '# Dinghy\n\nA boat.\n')
  expect(await found('dinghy')).toEqual(['new/page.md#dinghy'])
  await writeFile(join(folder, 'new/page.md'), '# Raft\n\nLogs that are tied together.\n')
  expect(await found('dinghy')).toEqual([])
  expect(await found('raft')).toEqual(['new/page.md#raft'])
  await rm(join(folder, 'new'), { recursive: true })
  expect(await found('raft')).toEqual([])
})
