// What the sections of manuals are called and how long they are:
// node long-sections.mjs [--cleaner=PACKAGE] [--pages=400] FOLDER...
//
// For each folder of HTML files: sections, those whose title and titles above are all generic
// words, those without a title, those that consist of links, those above 20,000 characters, and the
// longest three. A section is its own blocks and continuations, without subsections.
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { cleaner: { type: 'string' }, pages: { type: 'string', default: '400' } },
})
const { cleanHtml } = await import(values.cleaner ? resolve(values.cleaner) : '@pith-mcp/cleaner')

const generic = new Set(
  `arguments class default description details example examples flags functions name notes options
  overview parameters purpose returns see-also synopsis syntax type usage value`.split(/\s+/),
)
const isGeneric = (title) => generic.has(title.toLowerCase().replace(/:$/, '').replace(' ', '-'))
const longest = 20_000
const link = /\[((?:\\.|[^\]\\])*)\]\((?:[^()]|\([^()]*\))*\)/g

console.log(
  '| manual | pages | sections | generic % | untitled | only links | > 20,000 | longest |',
)
console.log(
  '| ------ | ----- | -------- | --------- | -------- | ---------- | -------- | ------- |',
)
for (const folder of positionals) console.log(rowOf(folder))

function rowOf(folder) {
  const pages = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const files = spread(pages.sort(), Number(values.pages))
  const sections = files.flatMap(sectionsOf)
  const share = (count) => ((100 * count) / Math.max(sections.length, 1)).toFixed(1)
  const count = (test) => sections.filter(test).length
  const long = sections.toSorted((a, b) => b.length - a.length).slice(0, 3)
  return `| ${[
    basename(folder),
    files.length,
    sections.length,
    share(count(({ path }) => path.every(isGeneric))),
    count(({ title }) => title === ''),
    count(({ onlyLinks }) => onlyLinks),
    count(({ length }) => length > longest),
    long.map(({ file, id, length }) => `${length} ${basename(file)}#${id.slice(0, 40)}`).join(', '),
  ].join(' | ')} |`
}

/** At most `count` of the items, evenly spread. */
function spread(items, count) {
  const step = Math.max(items.length / count, 1)
  return Array.from(
    { length: Math.min(items.length, count) },
    (_, at) => items[Math.floor(at * step)],
  )
}

function sectionsOf(file) {
  const { sections } = cleanHtml(readFileSync(file, 'utf8'), {
    links: 'keep',
    url: 'http://manual/',
  })
  const byId = new Map()
  for (const { id, kind, parent, title, blocks } of sections) {
    const text = blocks.map(({ markdown }) => markdown).join('\n')
    const outer = kind === 'continuation' ? byId.get(parent) : undefined
    if (outer) outer.text += text
    else byId.set(id, { file, id, title, text, path: [...(byId.get(parent)?.path ?? []), title] })
  }
  return [...byId.values()].map(({ text, ...section }) => {
    const rest = text.replace(link, '').replace(/[^\p{L}\p{N}]+/gu, '')
    const length = text.replace(link, '$1').length
    return { ...section, length, onlyLinks: rest.length < length / 10 && length > 40 }
  })
}
