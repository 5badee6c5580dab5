// Forty questions to eight manuals of others, as `npm start -- FOLDER WORDS` is asked: does start
// answer, and with the address that search has first? And is that the section which has the answer?
//   node bench/own-folder/run.mjs [--start none] [manual …]
// questions.json has the places that answer a question, "page > heading" or a whole page, written from
// the manuals before anything was asked. Needs a build; apt-get and dpkg for five manuals, npm for three.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fetchManual } from '../corpus/fetch-manual.mjs'

const options = { start: { type: 'string' } }
const { values, positionals } = parseArgs({ options, allowPositionals: true })
const { start } = values
const corpus = fileURLToPath(new URL('.corpus', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const manuals = JSON.parse(readFileSync(new URL('questions.json', import.meta.url), 'utf8'))

/** The JSON that a program prints; undefined if it prints none, as when nothing is found. */
const ask = (...args) =>
  new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: 2 ** 26 }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout))
      } catch {
        if (error) console.error(stderr)
        resolve(undefined)
      }
    })
  })

const cache = ['--cache', `${corpus}/.cache`]
const search = (...words) =>
  ask('apps/docs-mcp/dist/main.js', 'search', '--json', ...cache, ...words)

const askStart = (...words) => ask('scripts/start.mjs', '--json', ...words)

/** Words only, without the number of a chapter: a title may have parameters after its name. */
const plain = (title) => {
  const words = title.toLowerCase().replace(/^[\d.]+\s/, '')
  return `${words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `.trimStart()
}

/** What of a hit is right: the section or one inside a right one, only its page, or nothing. */
function judge({ url, section, path }, places) {
  const page = `/${decodeURIComponent(url.split('#')[0])}`
  const onPage = places
    .map((place) => place.split(' > '))
    .filter(([name]) => page.endsWith(`/${name}`))
  const titles = [...path, section ?? ''].map(plain)
  const isRight = ([, heading = '']) => titles.some((title) => title.startsWith(plain(heading)))
  return onPage.some(isRight) ? 'section' : onPage.length > 0 ? 'page' : 'wrong'
}

const isSame = (one, other) => one.endsWith(other) || other.endsWith(one)
const counts = { asked: 0, answered: 0, first: 0, section: 0 }
for (const [name, { folder, questions, ...from }] of Object.entries(manuals)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const source = `${corpus}/${name}/${folder}`
  try {
    if (!existsSync(source)) fetchManual({ name, ...from }, corpus)
  } catch (error) {
    console.log(`${name} could not be fetched, and is not asked: ${error.message.split('\n')[0]}`)
    continue
  }
  for (const [words, places] of Object.entries(questions)) {
    const first = (await search(source, words))?.hits[0]
    const where = first ? judge(first, places) : 'wrong'
    const url = start === 'none' ? undefined : (await askStart(source, words))?.url
    const isFirst = first !== undefined && url !== undefined && isSame(first.url, url)
    counts.asked++
    counts.section += where === 'section'
    counts.answered += url !== undefined
    counts.first += isFirst
    const started = url === undefined ? 'no answer' : isFirst ? 'the first' : 'another address'
    const marks = start === 'none' ? where : `${where}, start: ${started}`
    console.log(`${name} | ${words} | ${marks} | ${first?.url.split('/.corpus/')[1] ?? ''}`)
  }
}
const [asked, ...shares] = Object.values(counts)
const texts = ['answered', 'with the address that search has first', 'right section']
const said = shares.map((count, at) => `${count} of ${asked} ${texts[at]}`)
console.log(said.slice(start === 'none' ? 2 : 0).join(', '))
