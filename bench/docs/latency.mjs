// How long docs-mcp takes over stdio: sections of a page it has read before, pages it reads for the
// first time beside the cleaner alone, and many calls at once for one page of a site.
//   node latency.mjs [calls, 600] [calls at once, 500]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { fetchedPages } from '../corpus/corpus.mjs'
import { connect } from './client.mjs'

const [calls = '600', maxConcurrency = '500'] = process.argv.slice(2)
const pages = fetchedPages()
const largish = pages.find(({ path }) => path.endsWith('user_guide/merging.html'))

async function timed(work) {
  const started = performance.now()
  const result = await work()
  return { result, time: performance.now() - started }
}

const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))]
const percentiles = (times) =>
  [0.5, 0.99].map((share) => `p${100 * share} ${at(times, share).toFixed(2)} ms`).join(', ')

async function succeeding(server, tool, args) {
  const { text, isError } = await server.call(tool, args)
  if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`)
  return text
}

/** The cleaner in a process of its own, as it is in the server: it has not seen the pages either. */
function startCleaner() {
  const child = fork(fileURLToPath(new URL('latency-cleaner.mjs', import.meta.url)))
  return {
    async clean(file) {
      const reply = once(child, 'message')
      child.send(file)
      const [message] = await reply
      return message
    },
    stop: () => child.disconnect(),
  }
}

async function warm() {
  const cleaner = startCleaner()
  const { sections } = await cleaner.clean(largish.file)
  cleaner.stop()
  const server = await connect([largish.file])
  const ask = (index) =>
    succeeding(server, 'get_doc_section', {
      url: largish.file,
      section: sections[index % sections.length],
      include_code_blocks: index % 2 === 0,
    })
  for (let index = 0; index < 100; index++) await ask(index)
  const times = []
  for (let index = 0; index < Number(calls); index++)
    times.push((await timed(() => ask(index))).time)
  const pings = []
  for (let index = 0; index < Number(calls); index++)
    pings.push((await timed(() => server.ping())).time)
  await server.close()
  const size = (readFileSync(largish.file).length / 1000).toFixed(0)
  console.log(
    `get_doc_section, ${times.length} calls on a page of ${size} kB that was read before: ${percentiles(times)} (a ping: ${percentiles(pings)})`,
  )
}

/** Page by page, now the server, now the cleaner, so that both have the same of the machine. */
async function cold() {
  const server = await connect(pages.map(({ file }) => file))
  const cleaner = startCleaner()
  await server.ping()
  // What loads the libraries; it is measured as start-up, elsewhere.
  const [opening, ...others] = pages
  await succeeding(server, 'get_doc_toc', { url: opening.file })
  await cleaner.clean(opening.file)
  let bytes = 0
  let served = 0
  let cleaned = 0
  for (const { file } of others) {
    bytes += readFileSync(file).length
    served += (await timed(() => succeeding(server, 'get_doc_toc', { url: file }))).time
    cleaned += (await cleaner.clean(file)).time
  }
  cleaner.stop()
  await server.close()
  return { pages: others.length, bytes, served, cleaned }
}

async function coldRounds(rounds) {
  const all = []
  for (let round = 0; round < rounds; round++) all.push(await cold())
  const [{ pages, bytes }] = all
  const middle = (measure) => at(all.map(measure), 0.5)
  const rate = (key) => middle((run) => bytes / run[key] / 1000).toFixed(2)
  const share = (100 * middle(({ cleaned, served }) => cleaned / served)).toFixed(0)
  console.log(
    `first reading of ${pages} pages, ${(bytes / 1e6).toFixed(1)} MB: ${rate('served')} MB/s of HTML; the cleaner alone: ${rate('cleaned')} MB/s; ${share} % of its rate`,
  )
}

async function concurrent() {
  const html = readFileSync(largish.file)
  const requests = new Map()
  const site = createServer((request, response) => {
    requests.set(request.url, (requests.get(request.url) ?? 0) + 1)
    const isPage = request.url === '/page.html'
    // As slow as a network, so that the calls overlap.
    setTimeout(() => {
      response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      response.end(isPage ? html : '')
    }, 50)
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const url = `http://127.0.0.1:${site.address().port}/page.html`
  const cleaner = startCleaner()
  const { sections } = await cleaner.clean(largish.file)
  cleaner.stop()
  const server = await connect([new URL('/', url).href])
  const { result, time } = await timed(() =>
    Promise.all(
      Array.from({ length: Number(maxConcurrency) }, (_, index) =>
        server.call('get_doc_section', { url, section: sections[index % sections.length] }),
      ),
    ),
  )
  await server.close()
  site.close()
  site.closeAllConnections()
  const failed = result.filter(({ isError }) => isError)
  const others = [...requests].filter(([path]) => path !== '/page.html')
  console.log(
    `${result.length} calls at once for one page: ${requests.get('/page.html') ?? 0} requests for it${others.map(([path, count]) => `, ${count} for ${path}`).join('')}; all answered in ${time.toFixed(0)} ms, ${failed.length} failed${failed.length > 0 ? `: ${failed[0].text}` : ''}`,
  )
}

await warm()
await coldRounds(3)
await concurrent()
