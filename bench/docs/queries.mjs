// Queries with a known answer, out of the sections of the manuals; the same for the same seed.
//   node queries.mjs [seed, 1] [queries a class, 300]      writes queries-<seed>.json
// Classes: `heading` (of one page alone), `title and heading`, `agent` (a few rarer words of the
// text, asked as agents ask) and `mistyped` (a heading with one slip in a word).
import { writeFileSync } from 'node:fs'
import { createRandom, shuffle } from './random.mjs'
import { pagesIn } from './read-sections.mjs'
import { manualsFolder } from './trees.mjs'

const [seed = '1', most = '300'] = process.argv.slice(2)
const random = createRandom(Number(seed))
const plain = (text) => text.toLowerCase().replace(/\s+/g, ' ').trim()
const wordsOf = (text) => new Set(plain(text).match(/[\p{L}\p{N}_]+/gu) ?? [])
/** What a reader sees of Markdown: no targets of links. */
const visible = (markdown) => markdown.replace(/\]\([^)]*\)/g, ']')

/** Signatures of traits and the like are asked for by nobody. */
const isAskable = (heading) =>
  heading.length <= 70 &&
  /\p{L}{4}/u.test(heading) &&
  !/[<>{};=→]|^(?:impl|pub|unsafe) /.test(heading)

const sections = []
const pagesWith = new Map()
for await (const { url, title, sections: own } of pagesIn())
  for (const { id, title: name, heading, text } of own) {
    const [, manual] = new URL(url).pathname.split('/')
    const at = sections.length
    sections.push({
      at,
      url,
      manual,
      page: title,
      id,
      title: name,
      heading,
      words: wordsOf(visible(text)),
    })
    for (const key of [plain(heading), plain(`${title} ${heading}`)])
      pagesWith.set(key, (pagesWith.get(key) ?? new Set()).add(url))
  }

const sectionsWith = new Map()
for (const { at, words, title } of sections)
  for (const word of new Set([...words, ...wordsOf(title)])) {
    const found = sectionsWith.get(word)
    if (found) found.push(at)
    else sectionsWith.set(word, [at])
  }

const isAlone = (text) => pagesWith.get(plain(text)).size === 1
const isKnown = ({ heading }) => isAskable(heading) && isAlone(heading)

const slips = [
  (word, at) => word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at + 1) + word.slice(at),
]

function mistype(heading) {
  const long = heading.match(/[A-Za-z]{5,}/g)
  if (!long) return undefined
  const word = long[Math.floor(random() * long.length)]
  const slip = slips[Math.floor(random() * slips.length)]
  const wrong = slip(word, Math.floor(random() * (word.length - 1)))
  if (wrong === word || sectionsWith.has(wrong.toLowerCase())) return undefined
  return heading.replace(word, wrong)
}

const openings = [
  (words) => `how to ${words}`,
  (words) => `how do I ${words}`,
  (words) => `how do I ${words} example`,
  (words) => `how to use ${words} example`,
]

/** A word of the language, neither in every section nor in this one alone. */
function isTelling(word) {
  const { length } = sectionsWith.get(word)
  return /^[a-z_]{4,20}$/.test(word) && length >= 3 && length <= sections.length / 100
}

function drawn(weights) {
  let rest = random() * weights.reduce((sum, weight) => sum + weight, 0)
  let at = 0
  for (; at < weights.length - 1 && rest >= weights[at]; at++) rest -= weights[at]
  return at
}

/** Four or five words, the rarer the likelier, as they follow each other. */
function tellingWords({ words }) {
  const left = [...words].filter(isTelling)
  if (words.size < 25 || left.length < 6) return undefined
  const chosen = new Set()
  const wanted = random() < 0.5 ? 4 : 5
  while (chosen.size < wanted) {
    const weights = left.map((word) =>
      chosen.has(word) ? 0 : Math.log(sections.length / sectionsWith.get(word).length),
    )
    chosen.add(left[drawn(weights)])
  }
  return left.filter((word) => chosen.has(word))
}

/** True if no other section has all the words, but those that would count as found. */
function areAnswered(words, section) {
  const [rarest] = words.toSorted((a, b) => sectionsWith.get(a).length - sectionsWith.get(b).length)
  return sectionsWith
    .get(rarest)
    .map((at) => sections[at])
    .filter((other) => words.every((word) => other.words.has(word)))
    .every(({ url, title }) => url === section.url && title === section.title)
}

const classes = {
  heading: (section) => (isKnown(section) ? section.heading : undefined),
  'title and heading'({ page, heading }) {
    const query = `${page} ${heading}`
    return isAskable(heading) && plain(page) !== plain(heading) && isAlone(query)
      ? query
      : undefined
  },
  agent(section) {
    const words = tellingWords(section)
    if (!words || !areAnswered(words, section)) return undefined
    return openings[Math.floor(random() * openings.length)](words.join(' '))
  },
  mistyped: (section) => (isKnown(section) ? mistype(section.heading) : undefined),
}

/** From every manual the same number, as far as it has them. */
function queriesOf(kind, make) {
  const all = shuffle(sections, random)
  const names = [...new Set(sections.map(({ manual }) => manual))]
  const manuals = names.map((name) => all.filter(({ manual }) => manual === name))
  const queries = []
  while (queries.length < Number(most) && manuals.some((own) => own.length > 0))
    for (const own of manuals) {
      let query
      while (own.length > 0 && query === undefined && queries.length < Number(most)) {
        const section = own.pop()
        query = make(section)
        const { url, id, title } = section
        if (query !== undefined) queries.push({ class: kind, query, url, id, title })
      }
    }
  return queries
}

const queries = Object.entries(classes).flatMap(([kind, make]) => queriesOf(kind, make))
const file = `${manualsFolder}/queries-${seed}.json`
writeFileSync(file, JSON.stringify(queries, undefined, 1))
for (const kind of Object.keys(classes)) {
  const own = queries.filter((query) => query.class === kind)
  console.log(
    `${kind}: ${own.length}, as “${own
      .slice(0, 6)
      .map(({ query }) => query)
      .join('”, “')}”`,
  )
}
