// The terms of the printed index of a manual, and the sections that it sends a reader to.
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseHTML } from 'linkedom'
import { cleanHtml } from '../../../packages/cleaner/dist/index.js'
import { createRandom, shuffle } from '../random.mjs'

/** A term with more places than these is not about one of them. */
const maxPlaces = 3
const seed = 1

/** Without what an index says of its kind: `connect() (Engine method)`, `dig command line option`. */
const termOf = (text) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/ command line option\s*$/, '')
    .replace(/\s\([^()]*(?:\([^()]*\)[^()]*)*\)\s*$/, '')
    .replace(/[\s,:]+$/, '')
    .trim()

/** Text of an entry itself, and the links of it. */
function ownOf(entry) {
  const links = [...entry.querySelectorAll('a[href]')].filter(
    (link) => link.closest('dt, li, tr') === entry,
  )
  const own = [...entry.childNodes]
    .filter(({ nodeName }) => !/^(?:UL|DL|A)$/.test(nodeName))
    .map(({ textContent }) => textContent)
    .join(' ')
  return { links: links.map((link) => link.getAttribute('href')), own, first: links[0] }
}

/** Entries by how generators print them: rows (Texinfo), terms (DocBook) and linked terms (Sphinx). */
function* entriesOf(document) {
  for (const row of document.querySelectorAll('tr')) {
    const link = row.querySelector('a[href*="#index-"]')
    if (link) yield { term: termOf(link.textContent), hrefs: [link.getAttribute('href')] }
  }
  for (const entry of document.querySelectorAll('dt, li')) {
    const { links, own, first } = ownOf(entry)
    const above = entry.closest('dd, ul')
    const parent = entry.nodeName === 'DT' ? above?.previousElementSibling : above?.closest('li')
    const isBook = first?.classList.contains('indexterm')
    const label = isBook || !first ? own : first.textContent
    const outer =
      parent && (parent.nodeName === 'DT' || parent.nodeName === 'LI') ? parent : undefined
    const outerOwn = outer && ownOf(outer)
    const before = outerOwn
      ? termOf(isBook || !outerOwn.first ? outerOwn.own : outerOwn.first.textContent)
      : ''
    // A kind in brackets is one more place of the term above.
    const term = `${before} ${/^\s*\(/.test(label) ? '' : termOf(label)}`
      .trim()
      .replace(/^(\S+) \1 /, '$1 ')
    yield { term, hrefs: links }
  }
}

/** Terms with the places that they are sent to, as `page` and `anchor`, a part of them. */
export function printedTerms(manual, count) {
  const isIndex = new RegExp(manual.printed)
  const terms = new Map()
  for (const page of manual.printedPages) {
    const { document } = parseHTML(readFileSync(`${manual.root}/${page}`, 'utf8'))
    for (const { term, hrefs } of entriesOf(document)) {
      if (!/[\p{L}\p{N}]{2}/u.test(term) || term.length > 80) continue
      const places = terms.get(term.toLowerCase())?.places ?? new Map()
      for (const href of hrefs) {
        if (/^\w+:/.test(href)) continue
        const [path, anchor = ''] = decodeURIComponent(href).split('#')
        const to = path === '' ? page : posix.join(posix.dirname(page), path)
        if (!isIndex.test(to)) places.set(`${to}#${anchor}`, { page: to, anchor })
      }
      if (places.size > 0) terms.set(term.toLowerCase(), { term, places })
    }
  }
  const all = [...terms.values()].filter(({ places }) => places.size <= maxPlaces)
  return shuffle(all, createRandom(seed))
    .slice(0, count)
    .map(({ term, places }) => ({ term, places: [...places.values()] }))
}

const mark = (at) => `zqm${at}mqz`

/**
 * For each anchor of a page the section in which it lies and those inside it, as their places in its
 * record: a mark is put before the next text after the anchor, and looked for in the page as it is read.
 */
function sectionsOfAnchors(html, anchors, url) {
  const marks = []
  for (const [at, anchor] of anchors.entries()) {
    const name = anchor.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/&/g, '&amp;')
    const tag = new RegExp(`<[a-zA-Z][^<>]*\\s(?:id|name)="${name}"[^<>]*>`).exec(html)
    if (!tag) continue
    const text = /^(?:\s|<[^<>]*>)*/.exec(html.slice(tag.index))[0]
    marks.push({ at, place: tag.index + text.length })
  }
  let marked = html
  for (const { at, place } of marks.sort((a, b) => b.place - a.place))
    marked = `${marked.slice(0, place)}${mark(at)} ${marked.slice(place)}`
  const { sections } = cleanHtml(marked, { url })
  return anchors.map((_, at) => {
    const first = sections.findIndex(
      ({ title, blocks }) =>
        title.includes(mark(at)) || blocks.some(({ markdown }) => markdown.includes(mark(at))),
    )
    const inside = new Set([sections[first]?.id])
    return [...sections.entries()].flatMap(([place, { id, parent }]) => {
      if (!inside.has(id) && !inside.has(parent)) return []
      inside.add(id)
      return place
    })
  })
}

/**
 * The terms with `page#id` of their sections and of those inside, as an index names the section around
 * an entry, or `page` where the index names no more than a page.
 */
export function placedTerms(manual, records, count) {
  const terms = printedTerms(manual, count)
  const byPage = new Map(records.map((record) => [record.url, record]))
  const anchors = new Map()
  for (const { page, anchor } of terms.flatMap(({ places }) => places)) {
    if (anchor === '' || !byPage.has(page)) continue
    const own = anchors.get(page) ?? new Set()
    anchors.set(page, own.add(anchor))
  }
  const found = new Map()
  for (const [page, own] of anchors) {
    const { sections } = byPage.get(page)
    const html = readFileSync(`${manual.root}/${page}`, 'utf8')
    const wanted = [...own]
    const places = sectionsOfAnchors(html, wanted, `https://example.org/${page}`)
    for (const [at, inside] of places.entries())
      found.set(
        `${page}#${wanted[at]}`,
        inside.map((place) => `${page}#${sections[place]?.id}`),
      )
  }
  return terms
    .map(({ term, places }) => ({
      term,
      places: places.flatMap(({ page, anchor }) =>
        anchor === '' ? (byPage.has(page) ? page : []) : (found.get(`${page}#${anchor}`) ?? []),
      ),
    }))
    .filter(({ places }) => places.length > 0)
}
