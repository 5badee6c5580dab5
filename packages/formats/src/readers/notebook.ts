import { cleanMarkdown, type Page } from '@pith-mcp/cleaner'
import { attempt } from '#base/attempt'
import { isTable, type Table } from '#base/table'
import type { Format } from '../format.ts'
import { Counts } from '../parts/counts.ts'
import { fenced } from '../parts/fenced.ts'
import { markdownLinks, maxInlineMarkdown } from './markdown.ts'

/** Further cells are counted. */
const maxCells = 5_000
/** Of the text of one output; further lines are counted, and a longer line is cut. */
const maxLines = 60
const maxLineLength = 400

/** Notebooks of Jupyter, in the formats nbformat 3 and 4. */
export const notebook: Format = {
  name: 'Jupyter',
  types: /^application\/x-ipynb\+json$/,
  names: /\.ipynb$/i,
  maxInlineLength: maxInlineMarkdown,
  recognises: (text) => /^\s*\{\s*"/.test(text),
  read(text, options): Page {
    const { markdown, counts } = notebookToMarkdown(text)
    return counts.onPage(cleanMarkdown(markdown, options))
  },
  links: (text, base) => markdownLinks(notebookToMarkdown(text).markdown, base),
}

function notebookToMarkdown(text: string): { markdown: string; counts: Counts } {
  const counts = new Counts()
  const root = attempt((): unknown => JSON.parse(text), undefined)
  if (!isTable(root)) {
    counts.add('file that is not valid JSON', 1)
    return { markdown: '', counts }
  }
  const { metadata, worksheets, cells = [] } = root
  // Up to nbformat 3, cells are in worksheets.
  const sheets = tablesIn(worksheets).flatMap((sheet) => tablesIn(sheet['cells']).map(fromSheet))
  const allCells = [...tablesIn(cells), ...sheets]
  counts.add('cell', allCells.length - maxCells)
  const language = languageOf(metadata)
  const markdown = allCells
    .slice(0, maxCells)
    .map((cell) => cellToMarkdown(cell, language, counts))
    .join('\n\n')
  return { markdown, counts }
}

/** The Markdown of that time took `#Title` for a title. */
function fromSheet(cell: Table): Table {
  if (cell['cell_type'] !== 'markdown') return cell
  return { ...cell, source: textOf(cell['source']).replace(/^#{1,6}(?=[^#\s])/, '$& ') }
}

function languageOf(metadata: unknown): string {
  const { kernelspec, language_info } = isTable(metadata) ? metadata : {}
  const names = [kernelspec, language_info].flatMap((info) =>
    isTable(info) ? [info['language'], info['name']] : [],
  )
  return nameIn(names.find((name) => typeof name === 'string'))
}

/** A name that may stand after a fence. */
const nameIn = (value: unknown): string => /^[\w+#.-]{1,40}$/.exec(textOf(value))?.[0] ?? ''

function cellToMarkdown(cell: Table, language: string, counts: Counts): string {
  const source = textOf(cell['source'] ?? cell['input'])
  const { attachments, level } = cell
  if (isTable(attachments)) counts.add('attachment', Object.keys(attachments).length)
  switch (cell['cell_type']) {
    case 'markdown':
      return closed(source)
    case 'heading':
      return `${'#'.repeat(Number(level) || 1)} ${source.replace(/\s+/g, ' ')}`
    case 'code': {
      // A cell may be in another language: `%%bash`.
      const [, magic] = /^%%(bash|html|javascript|js|latex|perl|R|ruby|sh|sql)\b/.exec(source) ?? []
      const outputs = tablesIn(cell['outputs']).map((output) => outputToMarkdown(output, counts))
      const code = fenced(source, nameIn(magic ?? cell['language']) || language)
      return [code, ...outputs].filter(Boolean).join('\n\n')
    }
    default:
      return fenced(source, '')
  }
}

/** A fence or comment that a cell leaves open ends with the cell. */
function closed(markdown: string): string {
  let fence = ''
  for (const line of markdown.split('\n')) {
    const [, marks = '', info = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence === '' && !(marks.startsWith('`') && info.includes('`'))) fence = marks
    else if (fence !== '' && marks.startsWith(fence) && info.trim() === '') fence = ''
  }
  const isComment = markdown.lastIndexOf('<!--') > markdown.lastIndexOf('-->')
  return `${markdown}${isComment ? ' -->' : ''}${fence && `\n${fence}`}`
}

/** Text of an output, of which the first representation that is there is read. */
const textTypes = ['text/plain', 'text', 'text/markdown', 'text/latex', 'latex']

function outputToMarkdown(output: Table, counts: Counts): string {
  const { ename, evalue, traceback } = output
  // Up to nbformat 3, the representations are members of the output itself.
  const data = isTable(output['data']) ? output['data'] : output
  const types = Object.keys(data)
  const image = types.find((type) => /^image\/|^(?:png|jpeg|svg)$/.test(type))
  if (image) counts.add('image', 1)
  const type = textTypes.find((name) => name in data)
  const isError = typeof ename === 'string'
  const text = isError
    ? linesOf(traceback) || `${ename}: ${textOf(evalue)}`
    : textOf(type && data[type])
  // The name of the object that the image shows.
  if (image && /^<[^\n]*>$/.test(text)) return ''
  if (text === '' && !image && types.some((name) => name.includes('/') || name === 'html'))
    counts.add('output without text', 1)
  return text.trim() === '' ? '' : cutOutput(text)
}

/** Lines of a traceback are without line breaks. */
const linesOf = (lines: unknown): string =>
  Array.isArray(lines) ? lines.map(textOf).join('\n') : ''

/** Colours and other commands of a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the character begins a command.
const terminal = /\u001b\[[\d;?]*[a-z]?/gi

function cutOutput(text: string): string {
  const lines = text.replace(terminal, '').trimEnd().split('\n').map(overwritten)
  const rest = lines.length - maxLines
  const cut = rest > 0 ? `\n\n[${rest} more lines of output, not read]` : ''
  return `Output:\n\n${fenced(lines.slice(0, maxLines).join('\n'), '')}${cut}`
}

/** What a terminal shows of a line that a progress bar has written over, within the limit. */
function overwritten(line: string): string {
  const text = line.replace(/\r+$/, '')
  const last = text.slice(text.lastIndexOf('\r') + 1)
  const rest = last.length - maxLineLength
  return rest > 0 ? `${last.slice(0, maxLineLength)} [${rest} more characters]` : last
}

/** A text is one string, or its lines. */
function textOf(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value]
  return parts.filter((part) => typeof part === 'string').join('')
}

const tablesIn = (value: unknown): Table[] => (Array.isArray(value) ? value.filter(isTable) : [])
