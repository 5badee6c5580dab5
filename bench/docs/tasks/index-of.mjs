// The index of a manual, on disk beside it, and searches of it that can be repeated with other weights.
import { existsSync } from 'node:fs'
import { loadDriver } from '../../../packages/docs/dist/base/sqlite-driver.js'
import { indexVersion } from '../../../packages/docs/dist/search-index/index-schema.js'
import { partsOf } from '../../../packages/docs/dist/search-index/section-text.js'
import { createSqliteIndex } from '../../../packages/docs/dist/search-index/sqlite-search-index.js'

const open = await loadDriver()

/** `kind` tells indexes of different pages of a manual apart. */
export async function indexOf(manual, records, kind = 'index') {
  const path = `${manual.root}/../.${kind}-${manual.name}-${indexVersion}.sqlite`
  const isNew = !existsSync(path)
  const index = await createSqliteIndex({ open, path })
  const pages = records.map((record) => ({
    ...record,
    stamp: '',
    sections: record.sections.flatMap((section) =>
      partsOf(section.text).map((text) => ({ ...section, tokens: 0, text })),
    ),
  }))
  for (let at = 0; isNew && at < pages.length; at += 50) await index.put(pages.slice(at, at + 50))
  return remembering(index)
}

/** The same questions are asked of an index for each setting. */
function remembering(index) {
  const known = new Map()
  const recall =
    (name) =>
    (...args) => {
      const key = name + JSON.stringify(args)
      if (!known.has(key)) known.set(key, index[name](...args))
      return known.get(key)
    }
  const names = ['itemsWith', 'totals', 'wordsLike', 'termsBeginning']
  const candidates = recall('candidates')
  return {
    ...Object.fromEntries(names.map((name) => [name, recall(name)])),
    candidates: async (...args) => (await candidates(...args)).map((one) => ({ ...one })),
  }
}
