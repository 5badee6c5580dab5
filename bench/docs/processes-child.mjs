// One process of processes.mjs: writes pages of its own, notes what was acknowledged, searches.
import { appendFileSync } from 'node:fs'

const [path, log, number] = process.argv.slice(2)
const dist = new URL('../../packages/docs/dist/', import.meta.url)
const { createSqliteIndex } = await import(new URL('index/sqlite-search-index.js', dist))
const { loadDriver } = await import(new URL('base/sqlite-driver.js', dist))
const { rankIndex } = await import(new URL('answer/search-in.js', dist))

const words = 'anchor bowline cleat deck eddy ferry gaff halyard inlet jib keel locker mast'.split(
  ' ',
)
const textOf = (seed) =>
  Array.from({ length: 120 }, (_, at) => words[(seed * 7 + at * at) % words.length]).join(' ')
const index = await createSqliteIndex({ open: await loadDriver(), path })
for (let turn = 0; ; turn++) {
  const stamp = String(Date.now())
  const pages = Array.from({ length: 8 }, (_, at) => {
    const url = `p${number}-${(turn * 8 + at) % 400}`
    const title = `Page ${url}`
    const section = { id: 's', title, heading: title, path: [], text: textOf(turn + at) }
    return { url, title, stamp, headings: [], sections: [section] }
  })
  await index.put(pages)
  appendFileSync(log, pages.map(({ url }) => `put ${url} ${stamp}\n`).join(''))
  const { hits } = await rankIndex([{ name: '', index }], words[turn % words.length], {})
  if (hits.length > 0) appendFileSync(log, 'found\n')
}
