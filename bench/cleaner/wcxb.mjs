// Main content on 89 documentation pages of the web with gold text (WCXB, CC-BY-4.0), where a copy
// of the set is: word-F1, addresses of links stripped first.
//   node wcxb.mjs <folder with html/ and gold/> [--pages]
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { peers } from './peers.mjs'
import { overlap, readable, wordsOf } from './score.mjs'

export async function wcxb(folder, names, onPage = () => {}) {
  if (!existsSync(`${folder}/gold`)) throw new Error(`there is no gold/ in ${folder}`)
  const pages = readdirSync(`${folder}/gold`).map((file) => {
    const gold = JSON.parse(readFileSync(`${folder}/gold/${file}`, 'utf8'))
    const html = gunzipSync(
      readFileSync(`${folder}/html/${file.replace('.json', '.html.gz')}`),
    ).toString('utf8')
    return { file, url: gold.url, html, words: wordsOf(gold.ground_truth.main_content) }
  })
  const table = []
  for (const name of names) {
    let sum = 0
    for (const page of pages) {
      let markdown = ''
      try {
        markdown = await peers[name](page.html, page.url)
      } catch {
        // A page that breaks a cleaner counts as a page without any text.
      }
      const result = overlap(page.words, wordsOf(readable(markdown)))
      onPage(name, page, result)
      sum += result.f1
    }
    table.push({ name, pages: pages.length, f1: sum / pages.length })
  }
  return table
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [folder, ...flags] = process.argv.slice(2)
  const names = flags.filter((flag) => !flag.startsWith('--'))
  const print = (_name, { file, url }, { recall, precision, f1 }) =>
    console.log(`${f1.toFixed(3)} R ${recall.toFixed(3)} P ${precision.toFixed(3)} ${file} ${url}`)
  const table = await wcxb(
    folder,
    names.length > 0 ? names : Object.keys(peers),
    flags.includes('--pages') ? print : undefined,
  )
  for (const { name, f1 } of table) console.log(`${name}: ${f1.toFixed(4)}`)
}
