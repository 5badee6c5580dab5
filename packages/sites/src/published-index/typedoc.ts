import { unzipSync } from 'node:zlib'
import { firstFile, type PublishedIndexReader } from './published-index-reader.ts'
import { stringAt } from './script-text.ts'

interface TypeDocIndex {
  rows: { name: string; url: string; parent?: string }[]
}

const maxUnpacked = 64 * 2 ** 20

/** `assets/search.js`: a string with JSON, in later versions compressed and in base64. */
export const typedoc: PublishedIndexReader = {
  generator: 'TypeDoc',
  mark: /content="typedoc|\bdata-base="|assets\/search\.js/i,
  async read(site) {
    const file = await firstFile(site, site.roots, ['assets/search.js'])
    const start = /["'`]/.exec(file?.content ?? '')?.index
    const literal = file && start !== undefined ? stringAt(file.content, start) : undefined
    if (!file || !literal) return undefined
    const packed = Buffer.from(literal.replace(/^data:[^,]{0,200},/, ''), 'base64')
    const json = literal.startsWith('{')
      ? literal
      : unzipSync(packed, { maxOutputLength: maxUnpacked }).toString()
    const { rows } = JSON.parse(json) as TypeDocIndex
    return rows.map(({ name, url, parent }) => [new URL(url, file.root).href, name, parent])
  },
}
