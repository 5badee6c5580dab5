// Documents of the formats that are no HTML, through the API of docs, against what a person read in
// their sources: node formats.mjs [--each], after a build.
// Listed: the folder has the page. Searched: a sentence of it finds it among 20. Section read: those of
// the truth that are read by their ids. Code, tables: blocks and rows of the truth that are in the page.
// The truth of documents with * was written before any output was seen. --each prints what is missing.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDocs } from '../../packages/docs/dist/index.js'

const root = fileURLToPath(
  new URL('../../packages/formats/test/fixtures/documents', import.meta.url),
)
const isEach = process.argv.includes('--each')
const plain = (text) => text.replace(/\\([!-/:-@[-`{-~])|\*+/g, '$1').replace(/[\s>]+/g, ' ')
const row = (text) => plain(text).replace(/ ?\| ?/g, '|')
const truthSuffix = '.truth.json'

async function measure(docs, folder, truthName) {
  const truth = JSON.parse(readFileSync(`${folder}/${truthName}`, 'utf8'))
  const start = truthName.replace(truthSuffix, '.')
  const file = readdirSync(folder).find((name) => name.startsWith(start) && name !== truthName)
  const { entries = [] } = (await docs.toc(file).catch(() => undefined)) ?? {}
  const [sentence = truth.title] = [...(truth.sentences ?? []), ...(truth.texts ?? [])]
  const query = plain(sentence).replace(/[^\w ]/g, ' ')
  const { hits } = await docs.search(query, { maxResults: 20 })
  const options = { maxLength: 0, includeCodeBlocks: true }
  const { markdown } = await docs.content(file, options)
  const missing = []
  const share = (parts, isThere) => {
    const lost = parts.filter((part) => !isThere(part))
    missing.push(...lost)
    return `${parts.length - lost.length}/${parts.length}`
  }
  const read = new Set()
  for (const { id, title, level } of entries)
    if ((await docs.section(file, id, options)).markdown.trim() !== '')
      read.add(`${'#'.repeat(level)} ${title}`)
  const cells = [
    `${truth.unseen ? '* ' : ''}${file}`,
    entries.length > 0 || markdown !== '' ? 'yes' : 'no',
    hits.some(({ url }) => url.split('#')[0] === file) ? 'yes' : 'no',
    share(truth.headings, (heading) => read.has(heading)),
    share(truth.code, ([, code]) => plain(markdown).includes(plain(code).trim())),
    share(truth.rows ?? [], (line) => row(markdown).includes(row(line))),
  ]
  console.log(`| ${cells.join(' | ')} |`)
  if (isEach && missing.length > 0) console.log(missing)
}

console.log('| document | listed | searched | section read | code kept | tables kept |')
console.log('| --- | --- | --- | --- | --- | --- |')
for (const format of readdirSync(root)) {
  const folder = `${root}/${format}`
  const docs = await createDocs({ sources: [folder] })
  const truths = readdirSync(folder).filter((name) => name.endsWith(truthSuffix))
  for (const name of truths) await measure(docs, folder, name)
  await docs.close()
}
