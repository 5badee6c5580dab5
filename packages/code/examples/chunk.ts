import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCode } from '@pith-mcp/code'

const folder = await mkdtemp(join(tmpdir(), 'project-'))
const lines = Array.from({ length: 900 }, (_, at) => `  total += weigh(${at})`)
await writeFile(
  join(folder, 'scale.js'),
  ['class Scale {', ' sum(total) {', ...lines, '  return total', ' }', '}'].join('\n'),
)

const code = await createCode({ roots: [folder] })
const { hits } = await code.findFunctions('sum')
console.log(hits[0]?.id)

const first = await code.functionChunk('scale.js', 'Scale/sum', { pageSize: 2000 })
console.log(`lines ${first.startLine}–${first.endLine} of ${first.totalLines}`)

const second = await code.functionChunk('scale.js', 'Scale/sum', {
  pageSize: 2000,
  ...(first.nextPageToken && { pageToken: first.nextPageToken }),
})
console.log(second.crumbs[0]?.text, second.text.split('\n')[0])
await code.close()
