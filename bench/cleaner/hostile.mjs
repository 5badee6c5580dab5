// Pages that nobody would write: every element nested 1,000 to 32,000 deep, and random mutations
// of the corpus. Says how time grows with size, and stops with 1 at a crash, at text that was not
// in the input, or at twice the input that takes more than 2.5 times as long.
//   node hostile.mjs [mutations]
import { readFileSync } from 'node:fs'
import { CleanError, cleanHtml, toMarkdown } from '../../packages/cleaner/dist/index.js'
import { fetchedPages } from '../corpus/corpus.mjs'

const elements =
  `a abbr address article aside b bdi bdo big blockquote button caption center cite code data
  datalist dd del details dfn dialog dir div dl dl><dd dl><dt dt em fieldset figcaption figure font
  footer form h1 h2 h6 header i iframe ins kbd label legend li listing main map mark marquee math
  menu meter nav nobr noscript object ol ol><li option output p picture pre progress q rp rt ruby s
  samp script section select small span strike strong style sub summary sup svg table table><tr><td
  table><caption tbody td template textarea tfoot th thead title tr tt u ul ul><li var video xmp
  x-custom constructor`.split(/\s+/)
const sizes = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000]
const maxGrowth = 2.5
/** Below this a time says more about the machine than about the work. */
const minTime = 100

let faults = 0
const fault = (text) => {
  faults++
  console.log(`FAULT ${text}`)
}

const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function timed(html) {
  const started = cpu()
  const markdown = toMarkdown(cleanHtml(html))
  return { markdown, time: cpu() - started }
}

function growthOf(name, build) {
  const times = sizes.map((size) => {
    const html = build(size)
    return Math.min(...[1, 2, 3].map(() => timed(html).time))
  })
  const growth = times
    .map((time, index) => (index > 0 && times[index - 1] >= minTime ? time / times[index - 1] : 0))
    .reduce((most, ratio) => Math.max(most, ratio))
  if (growth > maxGrowth) fault(`${name}: ${times.map((time) => time.toFixed(0)).join(' ')} ms`)
  return { name, growth, last: times.at(-1) }
}

function series() {
  const deep = elements.map((element) =>
    growthOf(`nested ${element}`, (size) => `<main><p>one</p>${`<${element}>`.repeat(size)}two`),
  )
  const wide = elements.map((element) =>
    growthOf(`side by side ${element}`, (size) => {
      const [outer, ...inner] = element.split('><')
      const body =
        inner.length > 0 ? `<${inner.join('><')}>x</${inner.join('></')}>` : `x</${outer}>`
      return inner.length > 0
        ? `<main><p>one</p><${outer}>${body.repeat(size)}</${outer}>`
        : `<main><p>one</p>${`<${outer}>${body}`.repeat(size)}`
    }),
  )
  const lines = growthOf(
    'lines of code',
    (size) =>
      `<main><p>one</p><pre>${'<div class="line">two = <b>three</b></div>'.repeat(size)}</pre>`,
  )
  const all = [...deep, ...wide, lines].sort((a, b) => b.last - a.last)
  console.log(`${all.length} series to ${sizes.at(-1)}; the slowest tops, ms:`)
  for (const { name, last, growth } of all.slice(0, 8))
    console.log(`  ${name}: ${last.toFixed(0)}, most growth by doubling ${growth.toFixed(2)}`)
}

/** The same numbers for everyone. */
function random(seed) {
  let state = seed
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

const shards =
  '<div> </div> <p> </table> <table> <td> <li> </ul> <pre> </pre> <b> <a href="#x"> <dl> <dt> < > & " \' <!-- --> ` * _ | \\'.split(
    ' ',
  )

function mutate(html, below) {
  let text = html
  for (let count = 1 + below(12); count > 0; count--) {
    const at = below(text.length)
    const length = below(Math.min(4_000, text.length - at))
    const kind = below(5)
    const cut = text.slice(at, at + length)
    if (kind === 0) text = text.slice(0, at) + text.slice(at + length)
    else if (kind === 1) text = text.slice(0, at) + cut + text.slice(at)
    else if (kind === 2) text = text.slice(0, at) + shards[below(shards.length)] + text.slice(at)
    else if (kind === 3) text = text.slice(0, at)
    else {
      const to = below(text.length)
      text = text.slice(0, to) + cut + text.slice(to)
    }
  }
  return text
}

const words = (text) => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Words of the Markdown that stand nowhere in the page; numbers of lists are ours. */
function strangers(markdown, html) {
  const known = new Set(words(textsOf(html)))
  const isKnown = (word) => known.has(word) || /^\d+$/.test(word)
  /** What stood between two words may have been noise. */
  const isJoined = (word) =>
    Array.from(word, (_, at) => at).some(
      (at) => at > 0 && known.has(word.slice(0, at)) && known.has(word.slice(at)),
    )
  return words(markdown.replaceAll('<br>', ' ')).filter((word) => !isKnown(word) && !isJoined(word))
}

/** A page as it stands, and as text with its entities as characters, tags as nothing and as blanks. */
function textsOf(html) {
  const bare = html.replace(/<[^>]*>/g, '')
  const read = [bare, html.replace(/<[^>]*>/g, ' '), html].map((text) =>
    toMarkdown(cleanHtml(`<pre>${text.replaceAll('<', '&lt;')}</pre>`)),
  )
  return [html, bare, ...read].join(' ')
}

function mutations(count) {
  const pages = fetchedPages()
    .map(({ file }) => readFileSync(file, 'utf8'))
    .filter((html) => html.length < 200_000)
  const below = random(20_261_121)
  let slowest = 0
  let refused = 0
  for (let number = 0; number < count; number++) {
    const html = mutate(pages[below(pages.length)], below)
    try {
      const { markdown, time } = timed(html)
      // The first ones wait for the compiler; in a small page it is the machine that takes time.
      if (number > 100 && html.length > 20_000)
        slowest = Math.max(slowest, (time / html.length) * 1_000_000)
      const strange = strangers(markdown, html)
      if (strange.length > 0) fault(`mutation ${number}: not in the input: ${strange.slice(0, 5)}`)
    } catch (error) {
      if (error instanceof CleanError) refused++
      else fault(`mutation ${number}: ${error.stack}`)
    }
  }
  console.log(`${count} mutations, ${refused} refused; the slowest ${slowest.toFixed(0)} ms per MB`)
}

mutations(Number(process.argv[2] ?? 2_000))
series()
console.log(faults === 0 ? 'no fault' : `${faults} faults`)
process.exitCode = faults === 0 ? 0 : 1
