// The names that a page gives to its parts, read from its HTML and nothing else: headings, terms of
// definition lists, and their ids. With each, the words that follow it.
import { parseHTML } from 'linkedom'
import { inline, plain } from './truth.mjs'

/** What is no text of the page: navigation, contents, controls. */
const left =
  'script, style, button, noscript, nav, header, footer, pre, [role=navigation], [aria-hidden=true], .headerlink, .permalink, .mark, .pull-right, .sphinxsidebar, .related, .contents, .toc, #toc, #tableOfContents, #preamble, #quickview, #apicontent > details, .changelog, .api_stability, .api_metadata, .navheader, .navfooter, .direntry, #topsection, #docs-header, #docs-sidebar, #fixed-sidebar, #docs-sidebar-popout, #docs-top-navigation-container, #docs-bottom-navigation, #footer, .note > h3, .warning > h3, .caution > h3, .tip > h3, .important > h3'
const heading = /^h[1-6]$/
const tidy = (text) => text.replace(/\s+/g, ' ').trim()

/** In characters: the words after a name that have to be in a reply, letters and digits alone. */
const minTextLength = 16
const maxTextLength = 60

/** The headings and terms of a page in order, each with its titles, ids and the first words after it. */
function unitsOf(html) {
  const { document } = parseHTML(/<html/i.test(html) ? html : `<html><body>${html}</body></html>`)
  for (const element of document.querySelectorAll(left)) element.remove()
  for (const element of document.querySelectorAll('br')) element.replaceWith('\n')
  const units = []
  const lists = []
  let run = ''
  const edge = () => {
    const text = plain(run)
    run = ''
    const unit = units.at(-1)
    if (!unit || unit.text || text.length < minTextLength) return
    if (unit.kind === 'heading' || (unit.list === lists.at(-1) && unit.isDefined))
      unit.text = text.slice(0, maxTextLength)
  }
  const idsIn = (element) =>
    [element, ...element.querySelectorAll('[id]')].map((one) => one.getAttribute('id'))
  const unit = (element, kind) => {
    const title = tidy(element.textContent)
    const last = units.at(-1)
    const own = idsIn(element).filter(Boolean)
    const list = kind === 'term' ? lists.at(-1) : undefined
    const lines = element.textContent.split('\n').map(tidy).filter(Boolean)
    const terms = kind === 'term' && element.querySelector('br') === null ? [title] : lines
    // Terms one after another share a definition.
    if (kind === 'term' && last?.kind === 'term' && last.list === list && !last.isDefined) {
      last.terms.push(...terms)
      last.ids.push(...own)
      return
    }
    const level = kind === 'heading' ? Number(element.localName[1]) : 7 + lists.length
    const around = nearestAbove(units.at(-1), level)
    units.push({ kind, title, terms, ids: own, level, list, around, at: units.length })
  }
  const visit = (node) => {
    if (node.nodeType === 3) run += node.data
    if (node.nodeType !== 1) return
    const { localName } = node
    const isBlock = !inline.has(localName)
    if (isBlock) edge()
    if (heading.test(localName) || localName === 'dt') {
      unit(node, localName === 'dt' ? 'term' : 'heading')
      return
    }
    if (localName === 'dl') lists.push(node)
    if (localName === 'dd' && units.at(-1)?.list === lists.at(-1) && lists.length > 0)
      units.at(-1).isDefined = true
    for (const child of [...node.childNodes]) visit(child)
    if (isBlock) edge()
    if (localName === 'dl') lists.pop()
  }
  visit(document.documentElement)
  return units
}

/** The last unit of a lower level, through what stands around `unit`. */
function nearestAbove(unit, level) {
  let next = unit
  while (next && next.level >= level) next = next.around
  return next
}

const word = '[A-Za-z_$][\\w$]*'
const dotted = `${word}(?:(?:\\.|::|->|#)${word})*`
const kinds =
  /^(?:(?:async|abstract|static|new|class|classmethod|staticmethod|exception|function|method|attribute|property|data|const|int|char|void|unsigned|struct|enum|typedef)\s+|\*)+/
const callable = new RegExp(`^(${dotted})\\s*\\(`)
const isClass = /^(?:class|exception)\s|^Class:\s/

/** The names by which people ask for a unit, as [kind, name]. */
function namesIn({ kind, title, terms }) {
  const names = []
  const add = (as, name) => names.push([as, name])
  for (const term of terms) {
    const options = optionsIn(term)
    for (const option of options) add('option', option)
    if (options.length > 0) continue
    const bare = term.replace(/^Class:\s+/, '').replace(kinds, '')
    const call = callable.exec(bare)?.[1]
    const object =
      call ?? (isClass.test(term) ? new RegExp(`^${dotted}$`).exec(bare)?.[0] : undefined)
    if (object !== undefined) {
      const parts = object.split(/\.|::|->|#/)
      const as = isClass.test(term) ? 'class' : 'function'
      add(as, object)
      if (parts.length > 1) add(`${as} without its module`, parts.at(-1))
      continue
    }
    const directive = /^(\S+) (?:Directive|Element)$/.exec(term)?.[1]
    const parameter = /^([A-Za-z_$][\w$.-]*[\w$])(?=$|\s*[=:<[{(]|,\s)/.exec(bare)?.[1]
    if (directive) add('directive', directive)
    else if (parameter && (kind === 'term' || /[_.]|[a-z][A-Z]/.test(parameter)))
      add('parameter', parameter)
    if (kind === 'term' && term.length <= 80) add('whole term', term)
  }
  if (kind === 'heading' && title.length <= 100) add('title', title.replace(/^[\d.]+\s+/, ''))
  return names
}

/** `-o, --output=FILE`, `--[no-]verify`: the options themselves. */
function optionsIn(term) {
  const parts = term.split(/,\s+|\s+\|\s+/)
  if (!parts.every((part) => part.startsWith('-'))) return []
  return parts.flatMap((part) => {
    const [, name] = /^(--?(?:\[no-\])?[A-Za-z\d][\w-]*)/.exec(part) ?? []
    return name === undefined ? [] : [name.replace('[no-]', '')]
  })
}

const keyOf = (name) => (name.startsWith('-') ? name : plain(name).toLowerCase())
const betweenTitles = [' › ', ' / ', ' > ']

/**
 * The names of a page that mean one part of it alone, and the words after that part.
 *
 * @returns {{kind: string, name: string, text: string, others: string[]}[]}
 */
export function namesOf(html, random) {
  const units = unitsOf(html)
  const ids = new Set([...html.matchAll(/\s(?:id|name)=["']?([^"'\s>]+)/g)].map(([, id]) => id))
  const owners = new Map()
  const own = (key, unit) => owners.set(key, (owners.get(key) ?? new Set()).add(unit))
  const named = units.map((unit) => ({ unit, names: namesIn(unit) }))
  for (const { unit, names } of named) {
    for (const [, name] of names) own(keyOf(name), unit)
    for (const term of [unit.title, ...unit.terms]) own(keyOf(term), unit)
    for (const term of unit.terms.flatMap((one) => one.split(/[\s,|(]+/))) own(keyOf(term), unit)
    for (const id of unit.ids) own(id, unit)
  }
  const texts = new Map()
  for (const { text } of units) if (text) texts.set(text, (texts.get(text) ?? 0) + 1)
  const isAlone = (key) => owners.get(key)?.size === 1
  return named.flatMap(({ unit, names }) => {
    const { text, title, around, level } = unit
    const isContents = /^(?:table of )?contents$/i.test(title)
    if (!text || texts.get(text) > 1 || level === 1 || title === '' || isContents) return []
    const asked = names.filter(
      ([, name]) =>
        keyOf(name) !== '' && isAlone(keyOf(name)) && (!ids.has(name) || unit.ids.includes(name)),
    )
    const [id] = unit.ids
    if (id !== undefined && isAlone(id)) asked.push(['anchor', id])
    if (
      around &&
      level > 2 &&
      around.title !== '' &&
      title.length <= 80 &&
      unit.terms.length === 1 &&
      around.terms.length === 1
    ) {
      const same = [...owners.get(keyOf(title))].filter(
        (other) => keyOf(other.title) === keyOf(title),
      )
      const hasOne = same.filter((other) => isBelow(other, keyOf(around.title))).length === 1
      if (hasOne)
        asked.push([
          'title path',
          [around.title, title].join(betweenTitles[Math.floor(random() * 3)]),
        ])
    }
    // Only a part before it can stand before it in a reply.
    const others = units
      .slice(Math.max(0, unit.at - 30), unit.at)
      .flatMap((other) => (other.text && !plain(title).includes(other.text) ? [other.text] : []))
    return asked.map(([kind, name]) => ({ kind, name, text, others }))
  })
}

function isBelow(unit, key) {
  for (let next = unit.around; next; next = next.around) if (keyOf(next.title) === key) return true
  return false
}
