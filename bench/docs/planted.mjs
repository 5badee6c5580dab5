// Made-up words at random places of real pages: are they found, and shown? Pages of up to 1 MB from
// the manuals of tasks/manuals.json are copied, and a word is planted in paragraphs, lists, tables,
// code, definitions and so on; what few pages have (tabs, footnotes, captions) is added to them, and
// some sections are lengthened with paragraphs of the same manual. Nothing is planted in navigation.
//   node tasks/manuals.mjs && node planted.mjs [--seed 1] [--words 30] [--only MANUAL,…] [--each]
// page: search_docs names the page first. section: the hit is of the heading or the term before the
// word. excerpt: the reply of search_docs shows the word. in page: that of search_in_doc does.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseArgs } from 'node:util'
import { parseHTML } from 'linkedom'
import { connect, pageText } from './client.mjs'
import { createRandom, shuffle } from './random.mjs'
import { manuals, pagesOf } from './tasks/manuals.mjs'
import { plain } from './truth.mjs'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    words: { type: 'string', default: '30' },
    only: { type: 'string' },
    each: { type: 'boolean', default: false },
  },
})
const chosen = values.only?.split(',') ?? [...manuals.keys()].filter((name) => !/-ja$/.test(name))
const perPage = Number(values.words)
const pagesPerManual = 5
const maxPageBytes = 1_000_000
const longSections = [10_000, 50_000, 150_000]
const random = createRandom(Number(values.seed))
const below = (count) => Math.floor(random() * count)
const oneOf = (list) => list[below(list.length)]

const used = new Set()
/** Not an inflected form of another word, and never the same twice. */
function newWord() {
  const syllable = () => oneOf('bdfgkmprtvz') + oneOf('aiou')
  const word = `${syllable()}${syllable()}${syllable()}${syllable()}${syllable()}${oneOf('kmxz')}`
  if (used.has(word)) return newWord()
  used.add(word)
  return word
}

const left =
  'script, style, noscript, template, nav, header, footer, aside:not(.footnote), form, button, select, svg, math, [hidden], [aria-hidden=true], [role=navigation], [role=search], .headerlink, .permalink, .mark, .anchor, .pull-right, .sphinxsidebar, .related, .contents, .toc, #toc, #page-contents, #toc-container, #quickview, #preamble, #footer, #header, #apicontent > details, .changelog, .api_stability, .api_metadata, .navheader, .navfooter, .direntry, #docs-header, #docs-sidebar, #fixed-sidebar, #docs-sidebar-popout, #docs-top-navigation, #docs-top-navigation-container, #docs-bottom-navigation, .nextprev, #sidebar, #top, #nav-path, div.header, .boring, .directory, .memproto, .mlabels, .dynheader, .dyncontent, .topic, .index, .page-header, .up, .top, .bottomnav, #path, .math, .MathJax, .formula, .navigation, .breadcrumb, .wy-nav-side, .rst-footer-buttons, .rst-versions, .nav, #titlearea, .summary, table.memberdecls, table.directive, table.menu, .sitemap, #menu-bar, #table_of_contents, .linenos, .footnote-reference, .modal, .note h3, .warning h3, .caution h3, .tip h3, .important h3, .note h4, .up, .menu-title, #column2, .bottomlang, .toplang, #comments_section, .comments, #jumplinks, #contact, #community, #contribute, #projects, table[cellpadding="1"], p:has(> font)'

/** The kinds of places of a page, each with its elements. */
const places = {
  paragraph: 'p',
  'list item': 'ul > li, ol > li',
  'nested list': 'li li',
  'table cell': 'td',
  code: 'pre',
  definition: 'dd',
  term: 'dt',
  note: '.note p, .warning p, .admonition p, .admonitionblock p, .important p, .caution p',
  heading: 'h2, h3, h4',
  quotation: 'blockquote',
}

/** What few pages have, as it is usual on documentation sites. */
const added = {
  details: (text) => `<details><summary>More about it</summary><p>${text}</p></details>`,
  summary: (text) => `<details><summary>${text}</summary><p>The details follow here.</p></details>`,
  footnote: (text) =>
    `<aside class="footnote brackets" role="note"><span class="label">[1]</span><p>${text}</p></aside>`,
  'footnote list': (text) =>
    `<div class="footnotes"><hr><ol><li id="fn1"><p>${text}</p></li></ol></div>`,
  tab: (text) =>
    `<div class="tabs-container"><ul role="tablist"><li role="tab" aria-selected="true">npm</li><li role="tab">pnpm</li></ul><div role="tabpanel"><p>The first of them.</p></div><div role="tabpanel" hidden><p>${text}</p></div></div>`,
  'Sphinx tab': (text) =>
    `<div class="sd-tab-set"><input checked id="tab-a" name="tabs" type="radio"><label class="sd-tab-label" for="tab-a">Linux</label><div class="sd-tab-content"><p>On Linux.</p></div><input id="tab-b" name="tabs" type="radio"><label class="sd-tab-label" for="tab-b">Windows</label><div class="sd-tab-content"><p>${text}</p></div></div>`,
  'table caption': (text) =>
    `<table><caption>${text}</caption><tr><th>Name</th><th>Value</th></tr><tr><td>first</td><td>one</td></tr></table>`,
  'figure caption': (text) =>
    `<figure><img src="figure.png" alt="A figure"><figcaption>${text}</figcaption></figure>`,
  'long table': (text) =>
    `<table><thead><tr><th>Key</th><th>Meaning</th></tr></thead><tbody>${Array.from({ length: 400 }, (_, at) => `<tr><td>key_${at}</td><td>${at === 300 ? text : `What the value ${at} of it means`}</td></tr>`).join('')}</tbody></table>`,
  'long code': (text) =>
    `<pre><code class="language-sh">${Array.from({ length: 300 }, (_, at) => (at === 200 ? `# ${text.replace(/<[^>]+>/g, '')}` : `run --step ${at} --quiet`)).join('\n')}</code></pre>`,
  admonition: (text) =>
    `<div class="admonition warning"><p class="admonition-title">Warning</p><p>${text}</p></div>`,
  'GitHub alert': (text) =>
    `<div class="markdown-alert markdown-alert-tip"><p class="markdown-alert-title">Tip</p><p>${text}</p></div>`,
}

const sentence = (word) => `It is written with ${word} in this place alone.`

/** A text node of the element itself, not of a block inside. */
function plantIn(element, word) {
  const texts = []
  const visit = (node) => {
    for (const child of node.childNodes)
      if (child.nodeType === 3 && child.data.trim().length > 3) texts.push(child)
      else if (
        child.nodeType === 1 &&
        !/^(?:p|ul|ol|dl|table|pre|div|blockquote|details|h\d|script|style|button|svg)$/.test(
          child.localName,
        ) &&
        !child.matches(left)
      )
        visit(child)
  }
  visit(element)
  if (texts.length === 0) return false
  const text = oneOf(texts)
  const blanks = [...text.data.matchAll(/(?<=\S) (?=\S)/g)].map(({ index }) => index)
  const at = blanks.length > 0 ? oneOf(blanks) : text.data.trimEnd().length
  text.data = `${text.data.slice(0, at)} ${word} ${text.data.slice(at)}`
  return true
}

const tidy = (text) => text.replace(/\s+/g, ' ').trim()

/** The titles of which one has to be in the first line of a hit: the heading before, and the term. */
function titlesBefore(document) {
  const titles = new Map()
  let heading
  const visit = (node, term) => {
    let own = term
    for (const child of node.childNodes) {
      if (child.nodeType !== 1) continue
      if (/^h[1-6]$/.test(child.localName) && !child.matches(left)) heading = child
      if (child.localName === 'dt') own = [...term, child]
      titles.set(child, { heading, term: own })
      visit(child, own)
    }
  }
  visit(document.documentElement, [])
  return titles
}

function plantHtml(html, longer) {
  const { document } = parseHTML(/<html/i.test(html) ? html : `<html><body>${html}</body></html>`)
  const before = new Set()
  for (const element of document.querySelectorAll('*')) {
    if (/^h[1-6]$/.test(element.localName) && !element.closest(left)) break
    before.add(element)
  }
  // What precedes the first heading may be the frame of the page.
  const isText = (element) => element.closest(left) === null && !before.has(element)
  const blocks = [...document.querySelectorAll('p, li, dd')].filter(isText)
  const paragraphs = [...document.querySelectorAll('p')].filter(
    (one) =>
      isText(one) &&
      one.textContent.length > 40 &&
      !one.closest('table, li, dd, .note, .admonition'),
  )
  const planted = []
  if (longer > 0 && paragraphs.length > 3) {
    const after = oneOf(paragraphs)
    let length = 0
    let last = after
    for (let at = 0; length < longer; at++) {
      const copy = paragraphs[at % paragraphs.length].cloneNode(true)
      for (const one of copy.querySelectorAll('[id], [name]')) one.remove()
      last.after(copy)
      last = copy
      length += copy.textContent.length
      if (random() < 4_000 / longer) {
        const word = newWord()
        if (plantIn(copy, word)) planted.push({ word, kind: `section of ${longer}`, element: copy })
      }
    }
  }
  const kinds = Object.entries(places).map(([kind, selector]) => [
    kind,
    shuffle([...document.querySelectorAll(selector)].filter(isText), random),
  ])
  const most = planted.length + perPage
  for (const [kind, make] of shuffle(Object.entries(added), random).slice(
    0,
    paragraphs.length > 3 ? 5 : 0,
  )) {
    const word = newWord()
    const holder = document.createElement('div')
    holder.innerHTML = make(sentence(word))
    const element = holder.firstElementChild
    oneOf(paragraphs).after(element)
    planted.push({ word, kind, element })
  }
  while (planted.length < most && kinds.some(([, elements]) => elements.length > 0))
    for (const [kind, elements] of kinds) {
      const element = elements.pop()
      if (!element || planted.length >= most) continue
      const word = newWord()
      if (plantIn(element, word)) planted.push({ word, kind, element })
    }
  if (blocks.length === 0) return { text: html, planted: [] }
  const titles = titlesBefore(document)
  return {
    text: document.toString(),
    planted: planted.map(({ word, kind, element }) => {
      const { heading, term = [] } = titles.get(element) ?? {}
      const inList = element.closest('dl')
      const text = (one) => {
        if (!one) return undefined
        const copy = one.cloneNode(true)
        for (const part of copy.querySelectorAll(left)) part.remove()
        return tidy(copy.textContent)
      }
      return {
        word,
        kind,
        titles: [text(heading), ...(inList ? term.map(text) : [])].filter(Boolean),
      }
    }),
  }
}

function plantMarkdown(text) {
  const lines = text.split('\n')
  const kinds = new Map()
  let fence
  let heading
  const note = (kind, at) => kinds.set(kind, [...(kinds.get(kind) ?? []), { at, heading }])
  for (const [at, line] of lines.entries()) {
    const [, mark] = /^\s*(```+|~~~+)/.exec(line) ?? []
    if (mark) fence = fence === undefined ? mark : line.trim().startsWith(fence) ? undefined : fence
    else if (fence !== undefined) {
      if (/\S \S/.test(line)) note('Markdown code', at)
    } else if (/^#{1,6} /.test(line))
      heading = tidy(line.replace(/^#+/, '').replace(/[`*]|<[^>]*>|\]\([^)]*\)|\[/g, ''))
    else if (/^\s*\|[-\s|:]+\|\s*$/.test(line) || /^\s*(?:<|\[[^\]]+\]:)/.test(line)) continue
    else if (/^\s*\|/.test(line)) note('Markdown table', at)
    else if (/^\s+[-*+] /.test(line)) note('Markdown nested list', at)
    else if (/^[-*+] |^\d+\. /.test(line)) note('Markdown list', at)
    else if (/^>/.test(line)) note('Markdown quotation', at)
    else if (/^[A-Za-z].* .* /.test(line)) note('Markdown paragraph', at)
  }
  const queues = [...kinds].map(([kind, all]) => [kind, shuffle(all, random)])
  const planted = []
  while (planted.length < perPage && queues.some(([, all]) => all.length > 0))
    for (const [kind, all] of queues) {
      const place = all.pop()
      if (!place || planted.length >= perPage) continue
      const line = lines[place.at]
      const word = newWord()
      const blanks = [...line.matchAll(/(?<=[A-Za-z,.]) (?=[A-Za-z])/g)].map(({ index }) => index)
      // Not in the target of a link or in a code span.
      const free = blanks.filter(
        (at) => !/\([^)]*$|\[[^\]]*$|`[^`]*$|<[^>]*$/.test(line.slice(0, at)),
      )
      if (free.length === 0) continue
      const at = oneOf(free)
      lines[place.at] = `${line.slice(0, at)} ${word}${line.slice(at)}`
      planted.push({ word, kind, titles: place.heading ? [place.heading] : [] })
    }
  return { text: lines.join('\n'), planted }
}

/** Of all sizes: the longest, and others at even distances. */
function sample(manual) {
  const pages = pagesOf(manual)
    .map((page) => ({ page, size: statSync(`${manual.root}/${page}`).size }))
    .filter(
      ({ page, size }) =>
        size <= maxPageBytes && size > 3_000 && !/genindex|search\.html|404/.test(page),
    )
    .toSorted((a, b) => b.size - a.size)
  return Array.from(
    { length: Math.min(pagesPerManual, pages.length) },
    (_, at) => pages[Math.floor((at * pages.length) / pagesPerManual)].page,
  )
}

/** The first hit of a reply: its line of titles, and its URL. */
function firstHit(text) {
  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.startsWith('**'))
  return { title: lines[at] ?? '', url: at < 0 ? '' : (lines[at + 1] ?? '') }
}

const results = []
for (const name of chosen) {
  const manual = manuals.get(name)
  const folder = mkdtempSync(`${tmpdir()}/bench-planted-`)
  const all = []
  for (const [nth, page] of sample(manual).entries()) {
    const source = readFileSync(`${manual.root}/${page}`, 'utf8')
    const file = `page-${nth}${page.endsWith('.md') ? '.md' : '.html'}`
    const longer = nth === 0 ? 0 : longSections[(nth - 1) % longSections.length]
    const { text, planted } = page.endsWith('.md')
      ? plantMarkdown(source)
      : plantHtml(source, longer)
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/${file}`, text)
    for (const one of planted) all.push({ ...one, file, page })
  }
  const server = await connect([folder])
  for (const { word, kind, titles, file, page } of all) {
    const { text, data } = await server.call('search_docs', { query: word })
    const hit = firstHit(text)
    const [best] = data?.results ?? []
    const path = `${folder}/${file}`
    const inPage = await server.call('search_in_doc', { url: path, query: word })
    // The line with the titles is cut where it is long.
    const shown = plain(hit.title)
    const fragment = plain(decodeURIComponent(hit.url.split('#')[1] ?? '')).toLowerCase()
    const isIn = (title) =>
      shown.includes(plain(title).slice(0, 30)) ||
      fragment.startsWith(plain(title).toLowerCase().slice(0, 30))
    const result = {
      kind,
      manual: name,
      page: best?.url.split('#')[0].endsWith(file) === true,
      section: best !== undefined && (titles.length === 0 || titles.some(isIn)),
      excerpt: best !== undefined && pageText(text).includes(word),
      'in page': (inPage.data?.sections?.length ?? 0) > 0 && pageText(inPage.text).includes(word),
    }
    results.push(result)
    const lost = ['page', 'section', 'excerpt', 'in page'].filter((key) => !result[key])
    if (values.each && lost.length > 0)
      console.log(
        `lost ${lost.join(', ')}: ${name} ${page} ${kind} ${word} [${titles.join(' | ')}]\n    ${text.slice(0, 400).replace(/\n/g, ' ⏎ ')}`,
      )
  }
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

const keys = ['page', 'section', 'excerpt', 'in page']
for (const by of ['manual', 'kind']) {
  console.log(
    `\n| ${by} | words | ${keys.map((key) => `${key} lost`).join(' | ')} |\n|---|---|${keys.map(() => '---|').join('')}`,
  )
  const groups = [...new Set(results.map((one) => one[by])), ...(by === 'manual' ? ['all'] : [])]
  for (const group of groups) {
    const own = results.filter((one) => group === 'all' || one[by] === group)
    console.log(
      `| ${group} | ${own.length} | ${keys.map((key) => own.filter((one) => !one[key]).length).join(' | ')} |`,
    )
  }
}
