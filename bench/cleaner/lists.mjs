// Indexes, landing pages and catalogues of bench/corpus/list-pages.json: recall, precision and F1 of
// their words, means by page. Rules may be chosen on the half called tuned only.
//   node lists.mjs [name …] [--pages] [--half tuned]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listPages } from '../corpus/corpus.mjs'
import { peers } from './peers.mjs'
import { overlap, readable, wordsOf } from './score.mjs'
import { truthOf } from './truth.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pages: { type: 'boolean' }, half: { type: 'string' } },
})
const pages = listPages()
  .filter(({ half }) => values.half === undefined || half === values.half)
  .map((page) => ({ ...page, html: readFileSync(page.file, 'utf8') }))
const percent = (value) => (value * 100).toFixed(1)
const mean = (numbers) => numbers.reduce((sum, value) => sum + value, 0) / numbers.length

async function wordsKept(name, page) {
  let markdown = ''
  try {
    markdown = await peers[name](page.html, `https://example.org/${page.page}`)
  } catch {
    // A page that breaks a cleaner counts as a page without any text.
  }
  return overlap(wordsOf(truthOf(page.html, page).text), wordsOf(readable(markdown)))
}

for (const name of positionals.length > 0 ? positionals : Object.keys(peers)) {
  const results = []
  for (const page of pages) {
    const words = await wordsKept(name, page)
    results.push({ half: page.half, ...words })
    if (values.pages)
      console.log(
        `${page.half} ${percent(words.f1)} R ${percent(words.recall)} P ${percent(words.precision)} ${page.package} ${page.page}`,
      )
  }
  for (const half of new Set(pages.map((page) => page.half))) {
    const own = results.filter((result) => result.half === half)
    const of = (field) => percent(mean(own.map((result) => result[field])))
    const worst = percent(Math.min(...own.map(({ f1 }) => f1)))
    console.log(
      `${name}, ${half}, ${own.length} pages: recall ${of('recall')}, precision ${of('precision')}, F1 ${of('f1')}, worst ${worst}`,
    )
  }
}
