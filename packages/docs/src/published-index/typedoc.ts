import { unzipSync } from 'node:zlib'
import { indexPages } from './index-pages.ts'
import type { PublishedIndexReader } from './published-index-reader.ts'
import { stringAt } from './script-text.ts'

interface TypeDocIndex {
  rows: { name: string; url: string; parent?: string }[]
}

const maxUnpacked = 64 * 2 ** 20

/** `assets/search.js`: a string with JSON, in later versions compressed and in base64. */
export const typedoc: PublishedIndexReader = {
  generator: 'TypeDoc',
  isOf: (html) => /content="typedoc|\bdata-base="|assets\/search\.js/i.test(html),
  async read({ roots, text }) {
    for (const root of roots) {
      const script = await text(`${root}assets/search.js`)
      const start = /["'`]/.exec(script ?? '')?.index
      const found = start === undefined ? undefined : stringAt(script ?? '', start)
      if (!found) continue
      const packed = Buffer.from(found.replace(/^data:[^,]{0,200},/, ''), 'base64')
      const json = found.startsWith('{')
        ? found
        : unzipSync(packed, { maxOutputLength: maxUnpacked }).toString()
      const { rows } = JSON.parse(json) as TypeDocIndex
      return indexPages(
        rows.map(({ name, url, parent = '' }) => ({
          url: new URL(url, root).href,
          title: name,
          text: parent,
        })),
      )
    }
    return undefined
  },
}
