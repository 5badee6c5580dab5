import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocs } from '@pith-mcp/docs'

const folder = await mkdtemp(join(tmpdir(), 'guide-'))
await writeFile(
  join(folder, 'guide.html'),
  '<main><h1>Guide</h1><h2 id="install">Install</h2><p>Run it.</p></main>',
)

const docs = await createDocs({ sources: [folder] })
const { hits } = await docs.search('install')
const { markdown } = await docs.section(hits[0]?.url ?? 'guide.html', 'Install')
console.log(markdown)
await docs.close()
