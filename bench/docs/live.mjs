// A manual as a live site beside the same files in a folder: the right page among the first five,
// live at the first reply (and after how long), live when all pages are read, and in the folder.
//   node live.mjs [--seed 1] [--questions 8] [--first] [site …]
// With --first only the first replies are measured.
// The site is on loopback, with gzip and 50 ms before each response; the limits are the defaults, but
// that 5,000 pages are read. All pages are read without the limit of 30 requests a second, which
// changes only how long that takes. Questions: the title of a page with one of its headings, or the
// beginning of a section's first sentence, in turn, of random sections. Needs apt-get and dpkg.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { loadavg } from 'node:os'
import { extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { cleanHtml } from '../../packages/cleaner/dist/index.js'
import { createDocs } from '../../packages/docs/dist/index.js'
import { download } from '../corpus/download.mjs'
import { createRandom, shuffle } from './random.mjs'
import { manualsFolder } from './trees.mjs'

const share = 'usr/share/doc'
/** `below` is the part of the site that is searched; to pages of `leave` the site has no links. */
const sites = [
  { name: 'Sphinx', package: 'python3.11-doc', root: `${share}/python3.11/html` },
  { name: 'MkDocs', package: 'mkdocs-doc', root: `${share}/mkdocs/html` },
  {
    name: 'mdBook',
    package: 'rust-doc',
    root: `${share}/rust-doc/html`,
    below: 'book/',
    leave: /^(?:second|first|2018)-edition\//,
  },
  { name: 'rustdoc', package: 'rust-doc', root: `${share}/rust-doc/html`, below: 'std/' },
  {
    name: 'javadoc',
    package: 'openjdk-17-doc',
    root: `${share}/openjdk-17-jre-headless/api`,
    below: 'java.base/',
    front: 'module-summary.html',
  },
  { name: 'Doxygen', package: 'libeigen3-doc', root: `${share}/libeigen3-dev/html` },
  { name: 'links', package: 'postgresql-doc-15', root: `${share}/postgresql-doc-15/html` },
]
const latencyMs = 50
const maxPages = 5_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    questions: { type: 'string', default: '8' },
    first: { type: 'boolean', default: false },
  },
})

function fetchManual(name) {
  const folder = `${manualsFolder}/${name}`
  if (existsSync(folder)) return
  mkdirSync(manualsFolder, { recursive: true })
  const archive = download(name, manualsFolder)
  execFileSync('dpkg', ['-x', archive, `${folder}.part`], { cwd: manualsFolder })
  rmSync(`${manualsFolder}/${archive}`)
  renameSync(`${folder}.part`, folder)
}

const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.xml': 'text/xml' }

/** A web server for a folder. */
async function serve(folder) {
  const server = createServer(async (request, response) => {
    await sleep(latencyMs)
    const path = decodeURIComponent(new URL(request.url, 'http://x').pathname)
    const file = folder + (path.endsWith('/') ? `${path}index.html` : path)
    if (path.includes('..') || !existsSync(file) || statSync(file).isDirectory())
      return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
    })
    response.end(gzipSync(readFileSync(file), { level: 1 }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() }
}

const notPages =
  /^(?:genindex|py-modindex|search|print|404|all|index|help|contents|bookindex)\b|\/all\.html$|^search\//

/** Questions of two kinds in turn, each with the page that it was made from. */
function questionsOf(folder, leave, count, random) {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html') && !notPages.test(path) && !leave?.test(path))
    .sort()
  const questions = []
  for (const path of shuffle(pages, random)) {
    if (questions.length >= count) break
    const page = cleanHtml(readFileSync(`${folder}/${path}`, 'utf8'), { url: `http://x/${path}` })
    for (const { title, blocks } of shuffle(page.sections, random)) {
      const text = blocks.find(({ kind }) => kind === 'text')?.markdown.replace(/\]\([^)]*\)/g, ']')
      const words = text?.match(/[\p{L}\p{N}_]+(?:[-'.][\p{L}\p{N}_]+)*/gu) ?? []
      if (words.length < 8 || !/\p{L}{3}/u.test(title) || title === page.title) continue
      const isHeading = questions.length % 2 === 0
      const query = isHeading
        ? `${page.title} ${title}`.slice(0, 120)
        : words.slice(0, 12).join(' ')
      questions.push({ query, path })
      break
    }
  }
  return questions
}

const isFound = ({ hits }, { path }) =>
  hits
    .slice(0, 5)
    .some(
      ({ url }) =>
        decodeURIComponent(url.split('#')[0]).endsWith(`/${path}`) || url.split('#')[0] === path,
    )
const median = (times) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) / 2)]
const max = (times) => Math.max(...times)

async function measure({ name, package: manual, root, below = '', front = '', leave }) {
  fetchManual(manual)
  const folder = `${manualsFolder}/${manual}/${root}`
  const random = createRandom(Number(values.seed))
  const questions = questionsOf(
    folder + (below && `/${below}`),
    leave,
    Number(values.questions),
    random,
  )
  const server = await serve(folder)
  const source = server.url + below + front
  const first = []
  const times = []
  let via
  for (const question of questions) {
    const docs = await createDocs({ sources: [source], maxPages })
    const started = performance.now()
    const answer = await docs.search(question.query, { source })
    times.push(performance.now() - started)
    first.push(isFound(answer, question))
    via = answer.sources[0].via
    if (process.env.SHOW)
      console.error(
        question,
        first.at(-1),
        Math.round(times.at(-1)),
        answer.sources[0].pages,
        answer.hits.map(({ url }) => url.slice(source.length)),
      )
    await docs.close()
  }
  if (values.first) {
    server.close()
    return report({ name, manual, below, via, first, times })
  }
  const live = await createDocs({ sources: [source], maxPages, limits: { perSecond: 10_000 } })
  const [{ pages, failed }] = await live.update()
  const after = []
  const warm = []
  for (const question of questions) {
    const started = performance.now()
    after.push(isFound(await live.search(question.query), question))
    warm.push(performance.now() - started)
  }
  await live.close()
  server.close()
  const local = await createDocs({ sources: [folder + (below && `/${below}`)], maxPages })
  await local.update()
  const inFolder = []
  for (const question of questions)
    inFolder.push(isFound(await local.search(question.query), question))
  await local.close()
  return report({ name, manual, below, via, pages, failed, first, times, after, inFolder, warm })
}

const count = (list) => list.filter(Boolean).length

function report(site) {
  const { name, manual, below, via, pages = '', failed, first, times } = site
  const { after = [], inFolder = [], warm = [] } = site
  console.log(
    `| ${name} (${manual}${below && `, ${below}`}) | ${via} | ${pages}${failed > 0 ? ` (${failed} failed)` : ''} | ${count(first)} | ${(median(times) / 1e3).toFixed(1)} / ${(max(times) / 1e3).toFixed(1)} | ${count(after)} | ${count(inFolder)} | ${median(warm)?.toFixed(0) ?? ''} |`,
  )
  return {
    asked: first.length,
    first: count(first),
    inTime: first.filter((is, at) => is && times[at] <= 5_000).length,
    after: count(after),
    inFolder: count(inFolder),
  }
}

console.log(
  `| site | listed by | pages | live, first reply (of ${values.questions}) | after, s (median / most) | live, all read | folder | warm, ms |\n|---|---|---|---|---|---|---|---|`,
)
const sum = { asked: 0, first: 0, inTime: 0, after: 0, inFolder: 0 }
for (const site of sites) {
  if (positionals.length > 0 && !positionals.includes(site.name)) continue
  const found = await measure(site)
  for (const key of Object.keys(sum)) sum[key] += found[key]
}
const [load] = loadavg()
console.log(
  `\nLoad average ${load.toFixed(1)}. Asked ${sum.asked}; first reply ${sum.first}, within 5 s ${sum.inTime}; all read ${sum.after}; folder ${sum.inFolder}.`,
)
