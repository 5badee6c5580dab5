import { escapeHtml } from '../../parts/escape-html.ts'
import { tableHtml } from '../../parts/table-html.ts'
import type { BlockReader } from './block-reader.ts'
import { codeHtml } from './code-html.ts'
import { csvRow } from './rst-tables.ts'

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const code = setOf(
  'code code-block sourcecode parsed-literal doctest testcode testoutput prompt math productionlist',
)
const notes = setOf('note warning tip important caution danger error hint attention seealso todo')
const versions: Readonly<Record<string, string>> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  versionremoved: 'Removed in version',
}
/** Those that say how a page looks, or what programs do with it. */
const noText = setOf(
  `contents index meta currentmodule module default-role sectionauthor codeauthor tabularcolumns title
  sectnum target-notes role testsetup testcleanup`,
)
const files = setOf('include literalinclude')
const images = setOf('image figure thumbnail')
/** Those whose argument is no text. Of others that are not known, it is the title of what is in them. */
const untitled = setOf('class container cssclass grid ifconfig only rst-class tab-set toggle')
/** Objects without the name of a domain, which are terms. */
const objects = setOf(
  `function method class attribute data exception option envvar confval describe object program cmdoption decorator
  property type macro member struct enum setting`,
)

interface Directive extends Parts {
  reader: BlockReader
  name: string
  value: string
  /** Its argument: the value and the lines below it. */
  text: string
  /** What is in it. */
  inner(): string
}

/** The HTML of directives by their names without a domain; the first kind that has the name. */
const kinds: readonly [has: (name: string) => boolean, html: (directive: Directive) => string][] = [
  [(name) => code.has(name), codeDirective],
  [
    (name) => name === 'highlight',
    ({ reader, value }) => {
      reader.language = value === 'none' ? '' : value
      return ''
    },
  ],
  [
    (name) => notes.has(name),
    ({ reader, name, text, inner }) =>
      admonition(
        name,
        name.charAt(0).toUpperCase() + name.slice(1),
        `${paragraph(reader, text)}${inner()}`,
      ),
  ],
  [(name) => Object.hasOwn(versions, name), versionHtml],
  [
    (name) => files.has(name),
    ({ reader, value }) => {
      reader.counts.add('included file', 1)
      return `<p>[Not included: ${escapeHtml(value)}]</p>`
    },
  ],
  [
    (name) => images.has(name),
    ({ reader, options, inner }) => {
      reader.counts.add('image', 1)
      return `${paragraph(reader, options.get('alt') ?? '')}${inner()}`
    },
  ],
  [(name) => name === 'toctree', ({ body, argument }) => tocHtml(body, argument)],
  [
    (name) => name === 'list-table',
    ({ reader, text, options, body }) => listTable(reader, text, options, body),
  ],
  [
    (name) => name === 'csv-table',
    ({ reader, text, options, body }) => csvTable(reader, text, options, body),
  ],
  [(name) => objects.has(name), ({ text, inner }) => objectHtml(text.split('\n'), inner())],
]

/** The HTML of a directive: `.. name:: value` with lines below it. */
export function directiveHtml(
  reader: BlockReader,
  fullName: string,
  value: string,
  lines: readonly string[],
): string {
  const name = fullName.toLowerCase().split(':').at(-1) ?? ''
  const parts = partsOf(lines)
  const text = [value, ...parts.argument].filter(Boolean).join('\n')
  const inner = () => reader.blocks(parts.body)
  const kind = kinds.find(([has]) => has(name))
  if (kind) return kind[1]({ ...parts, reader, name, value, text, inner })
  if (fullName.includes(':')) return objectHtml(text.split('\n'), inner())
  if (name === 'raw') reader.counts.add('raw block', 1)
  else if (name === 'rubric' || parts.body.length > 0) {
    const isTitle = value !== '' && !untitled.has(name)
    return `${isTitle ? `<p><strong>${reader.text.html(value)}</strong></p>` : ''}${inner()}`
  } else if (!noText.has(name)) reader.counts.add('directive', 1)
  return ''
}

function codeDirective({ reader, name, value, text, body }: Directive): string {
  const isText = value !== '' && /math|productionlist|parsed/.test(name)
  return codeHtml(isText ? [text, ...body] : body, value || reader.language)
}

function versionHtml({ reader, name, text, inner }: Directive): string {
  const [, version = '', rest = ''] = /^(\S+)\s*([\s\S]*)$/.exec(text) ?? []
  return `<p><em>${versions[name]} ${escapeHtml(version)}${rest ? ':' : '.'}</em> ${reader.text.html(rest)}</p>${inner()}`
}

const paragraph = (reader: BlockReader, text: string): string =>
  text === '' ? '' : `<p>${reader.text.html(text)}</p>`

const admonition = (name: string, title: string, html: string): string =>
  `<div class="admonition ${name}"><p class="admonition-title">${title}</p>${html}</div>`

interface Parts {
  options: Map<string, string>
  /** Lines between the name and the options. */
  argument: string[]
  body: string[]
}

function partsOf(lines: readonly string[]): Parts {
  const options = new Map<string, string>()
  const argument: string[] = []
  let at = 0
  for (; at < lines.length && lines[at] !== ''; at++) {
    const line = lines[at] ?? ''
    const [, name, value = ''] = /^:([\w-]{1,40}):(?:\s+(.*))?$/.exec(line) ?? []
    if (name) options.set(name, value)
    else if (options.size > 0 && !line.startsWith(' ')) break
    else if (options.size === 0) argument.push(line.trim())
  }
  return { options, argument, body: lines.slice(at).map(String) }
}

/** The first word of a signature is the fragment: `open` of `open(file)`. */
function objectHtml(signatures: readonly string[], html: string): string {
  const terms = signatures.map((signature) => {
    const [, name = ''] =
      /^(?:(?:class|async|static|abstract|property|const)\s+)*([\w.:$-]+)/.exec(signature) ?? []
    return `<dt${name ? ` id="${escapeHtml(name)}"` : ''}><code>${escapeHtml(signature.replaceAll('\\', ''))}</code></dt>`
  })
  return `<dl>${terms.join('')}<dd>${html}</dd></dl>`
}

/** Pages of a table of contents, as `path` or `Title <path>`. */
function tocHtml(body: readonly string[], argument: readonly string[]): string {
  const items = [...argument, ...body]
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, title = line.trim(), path = line.trim()] =
        /^(.*?)\s*<([^<>]+)>$/.exec(line.trim()) ?? []
      const target = /^\w+:|\.\w+$/.test(path) ? path : `${path.replace(/^\//, '')}.rst`
      return /[*?]/.test(path)
        ? `<li>${escapeHtml(path)}</li>`
        : `<li><a href="${escapeHtml(target)}">${escapeHtml(title)}</a></li>`
    })
  return `<ul>${items.join('')}</ul>`
}

function listTable(
  reader: BlockReader,
  caption: string,
  options: ReadonlyMap<string, string>,
  body: readonly string[],
): string {
  const rows: string[][] = []
  const cell: string[] = []
  const endCell = () => {
    if (cell.length > 0)
      rows.at(-1)?.push(reader.text.html(cell.join('\n').trim()).replaceAll('\n', ' '))
    cell.length = 0
  }
  for (const line of body) {
    const [, row, start, text = ''] = /^(\* ?)?( {0,4}- ?)(.*)$/.exec(line) ?? []
    if (start && (row || /^ {1,4}- ?/.test(line))) {
      endCell()
      if (row) rows.push([])
      cell.push(text)
    } else cell.push(line.trim())
  }
  endCell()
  return `${paragraph(reader, caption)}${tableHtml(rows, Number(options.get('header-rows')) || 0)}`
}

function csvTable(
  reader: BlockReader,
  caption: string,
  options: ReadonlyMap<string, string>,
  body: readonly string[],
): string {
  const header = options.get('header')
  if (options.has('file') || options.has('url')) reader.counts.add('included file', 1)
  const rows = [...(header ? [header] : []), ...body.filter((line) => line !== '')].map((line) =>
    csvRow(line).map((cell) => reader.text.html(cell)),
  )
  const headRows = (header ? 1 : 0) + (Number(options.get('header-rows')) || 0)
  return `${paragraph(reader, caption)}${tableHtml(rows, headRows)}`
}
