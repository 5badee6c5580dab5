// Where every visible word of whole pages goes: into a section, into a removal with a rule, or
// nowhere. Pages: 24 of each of some twenty manuals in Debian packages, which it fetches into
// bench/.corpus/ledger (some 30 MB; needs apt-get and dpkg), and those of WCXB.
//   node ledger.mjs [folder of the WCXB documentation set] [--rules] [--sample N] [--pages]
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { toText } from 'hast-util-to-text'
import { unified } from 'unified'
import { cleanHtml, rehypeParse5 } from '../../packages/cleaner/dist/index.js'
import { download } from '../corpus/download.mjs'

/** Of Sphinx, DocBook, Texinfo, AsciiDoc, gtk-doc, Doxygen, man2html, LaTeX2HTML, and others. */
const packages = `apt-doc aptitude-doc-en bash-doc cmake-doc debian-policy developers-reference
  docbook-xsl-doc-html exim4-doc-html git-doc gnuplot-doc haskell98-report libglib2.0-doc
  libsdl2-doc libx11-doc libxml2-doc ncurses-doc nim-doc postgresql-doc-15 zsh-doc`.split(/\s+/)
const perPackage = 24
/** In bytes; shorter pages forward to others. */
const sizes = { least: 800, most: 300_000 }
const folder = fileURLToPath(new URL('../.corpus/ledger', import.meta.url))

/** Pages of the packages, evenly spread over each; fetches what is missing. */
export function manualPages() {
  mkdirSync(folder, { recursive: true })
  return packages.flatMap((name) => {
    const unpacked = join(folder, name)
    if (!existsSync(unpacked)) {
      const archive = join(folder, download(name, folder))
      execFileSync('dpkg', ['-x', archive, `${unpacked}.part`])
      rmSync(archive)
      execFileSync('mv', [`${unpacked}.part`, unpacked])
    }
    const files = readdirSync(unpacked, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && /\.html?$/.test(file.name))
      .map((file) => join(file.parentPath, file.name))
      .filter((file) => statSync(file).size > sizes.least && statSync(file).size < sizes.most)
      .sort()
    const count = Math.min(perPackage, files.length)
    return Array.from({ length: count }, (_, at) => {
      const path = files[Math.floor(((at + 0.5) * files.length) / count)]
      return { name: path.slice(folder.length + 1), html: readFileSync(path, 'utf8') }
    })
  })
}

export const wcxbPages = (set) =>
  readdirSync(`${set}/html`).map((name) => ({
    name,
    html: gunzipSync(readFileSync(`${set}/html/${name}`)).toString('utf8'),
  }))

/** Where a page's words went. `missing`: words that are neither in a section nor in a removal. */
export function ledgerOf(html) {
  const page = cleanHtml(html, { url: 'https://example.org/', debug: true })
  const counts = new Map()
  const add = (text) => {
    for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  add(page.title)
  for (const { title, blocks } of page.sections)
    for (const text of [title, ...blocks.map(({ markdown }) => markdown)]) add(text)
  for (const { text } of page.health.removals ?? []) add(text)
  const words = wordsOf(visibleText(html))
  const missing = words
    .filter((word) => !take(counts, word))
    .filter((word) => !takeParts(counts, word))
  return { words: words.length, missing, removals: page.health.removals ?? [], health: page.health }
}

function take(counts, word) {
  const count = counts.get(word) ?? 0
  if (count > 0) counts.set(word, count - 1)
  return count > 0
}

/** In a browser's text, words of neighbouring elements may be one: `docs` and `rs`. */
function takeParts(counts, word, most = 3) {
  if (take(counts, word)) return true
  if (most === 1) return false
  for (let at = word.length - 1; at > 0; at--) {
    const head = word.slice(0, at)
    if (!take(counts, head)) continue
    if (takeParts(counts, word.slice(at), most - 1)) return true
    counts.set(head, (counts.get(head) ?? 0) + 1)
  }
  return false
}

/** Letters and digits apart: `x^2` in Markdown is `x2` in a browser. */
const wordsOf = (text) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu) ?? []

/** Without text of their own that a reader sees, or drawn and written in another way. */
const unseen = new Set(
  `audio canvas embed head iframe input link math meta noframes noscript object option script select
  style svg template textarea title video`.split(/\s+/),
)

/** The text of the body as a browser shows it, with what a click shows. */
function visibleText(html) {
  const root = unified().use(rehypeParse5).parse(html)
  const document = root.children.find(({ tagName }) => tagName === 'html')
  const body = document?.children.find(({ tagName }) => tagName === 'body')
  if (!body) return ''
  reveal(body)
  return toText(body)
}

function reveal(element) {
  element.children = element.children.filter(({ tagName }) => !unseen.has(tagName))
  for (const child of element.children)
    if (child.type === 'element') {
      for (const name of ['ariaHidden', 'hidden', 'style']) delete child.properties[name]
      reveal(child)
    }
}

/** Sums over pages; `rules`: words, pages and removals of each rule. */
export function summary(pages) {
  const rules = new Map()
  const remainders = []
  let words = 0
  let missing = 0
  for (const { name, html } of pages) {
    const ledger = ledgerOf(html)
    words += ledger.words
    missing += ledger.missing.length
    remainders.push({ name, missing: ledger.missing })
    for (const { rule, text } of ledger.removals) {
      const removals = rules.get(rule) ?? []
      rules.set(rule, removals)
      removals.push({ name, text, words: wordsOf(text).length })
    }
  }
  return { pages: pages.length, words, missing, remainders, rules }
}

/** Numbers below 1 that are the same in each run. */
function* random(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rules: { type: 'boolean' },
      sample: { type: 'string' },
      pages: { type: 'boolean' },
    },
  })
  const [set] = positionals
  const all = [...manualPages(), ...(set ? wcxbPages(set) : [])]
  const { pages, words, missing, remainders, rules } = summary(all)
  const share = ((100 * missing) / words).toFixed(3)
  console.log(`${pages} pages, ${words} words, in neither: ${missing} (${share} %)`)
  if (values.pages)
    for (const { name, missing } of remainders.filter(({ missing }) => missing.length > 0))
      console.log(`${missing.length} ${name}: ${missing.slice(0, 20).join(' ')}`)
  const line = (text) => text.replace(/\s+/g, ' ').slice(0, 160)
  const sums = [...rules].map(([rule, list]) => ({
    rule,
    list,
    words: list.reduce((sum, one) => sum + one.words, 0),
  }))
  if (values.rules)
    for (const { rule, list, words } of sums.sort((a, b) => b.words - a.words)) {
      console.log(`\n${rule}: ${words} words, ${list.length} removals`)
      for (const one of list.sort((a, b) => b.words - a.words).slice(0, 10))
        console.log(`  ${one.words} ${line(one.text)}`)
    }
  if (values.sample) {
    const every = sums.flatMap(({ rule, list }) => list.map((one) => ({ rule, ...one })))
    const visible = every.filter((one) => one.words > 0 && !['script', 'style'].includes(one.rule))
    const numbers = random(1)
    for (let count = 0; count < Number(values.sample); count++) {
      const one = visible[Math.floor(numbers.next().value * visible.length)]
      console.log(`[${one.rule}] ${line(one.text)} (${one.name.slice(-50)})`)
    }
  }
}
