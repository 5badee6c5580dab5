// The pages of the manuals as sections, once, a line of JSON a page, as page-record.mjs says.
//   node sections.mjs [most sections, 140000]

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readFileSync, renameSync } from 'node:fs'
import { cleanHtml } from '../../packages/cleaner/dist/index.js'
import { recordOf } from './page-record.mjs'
import { sectionsFile } from './read-sections.mjs'
import { folderOf, pagesOf, trees } from './trees.mjs'

/** Pages in an order without order: where the sections do not all fit, any part of a tree is left. */
const shuffled = (pages) =>
  pages
    .map((page) => ({ page, key: createHash('sha1').update(page).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ page }) => page)

async function write(most) {
  const half = `${sectionsFile}.part`
  const out = createWriteStream(half)
  const table = []
  let all = 0
  // The largest tree is the last of them, and takes what room is left.
  for (const tree of trees) {
    const row = { name: tree.package, pages: 0, sections: 0, characters: 0, failed: 0 }
    const pages = shuffled(pagesOf(tree))
    for (const page of pages) {
      if (all >= most) break
      try {
        const html = readFileSync(`${folderOf(tree)}/${tree.root}/${page}`, 'utf8')
        const url = `https://example.org/${tree.package}/${page}`
        const record = recordOf(cleanHtml(html, { url }))
        const line = `${JSON.stringify(record)}\n`
        if (!out.write(line)) await once(out, 'drain')
        row.pages++
        row.characters += line.length
        row.sections += record.sections.length
        all += record.sections.length
      } catch (error) {
        row.failed++
        console.error(`${tree.package} ${page}: ${error.message.split('\n')[0]}`)
      }
      if (row.pages % 200 === 0)
        console.error(`${tree.package}: ${row.pages} of ${pages.length} pages, ${all} sections`)
    }
    table.push(row)
  }
  out.end()
  await once(out, 'finish')
  renameSync(half, sectionsFile)
  return table
}

const table = await write(Number(process.argv[2] ?? 140_000))
const sum = (key) => table.reduce((total, row) => total + row[key], 0)
const whole = Object.fromEntries(Object.keys(table[0]).map((key) => [key, sum(key)]))
console.log('| manual | pages | sections | MB of sections | failed |\n|---|---|---|---|---|')
for (const { name, pages, sections, characters, failed } of [...table, { ...whole, name: 'all' }])
  console.log(`| ${name} | ${pages} | ${sections} | ${(characters / 1e6).toFixed(1)} | ${failed} |`)
