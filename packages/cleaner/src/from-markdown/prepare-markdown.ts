import { indentOf, OpenBoxes } from './open-boxes.ts'
import { componentLabel, tagAt } from './tag-at.ts'

/**
 * Remove the site's own syntax from Markdown source: imports, component tags and comments of MDX,
 * and directive lines. Content of components and boxes loses its indentation, so that it is not
 * parsed as code. Code is unchanged.
 */
export function prepareMarkdown(source: string): string {
  let fence = ''
  /** Indentation removed from the line that opened the fence, and from the lines inside. */
  let fenceShift = 0
  let isHead = true
  let isList = false
  const boxes = new OpenBoxes()
  const lines = source.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const prepared: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const raw = lines[at] ?? ''
    if (fence !== '') {
      const line = raw.slice(Math.min(indentOf(raw), fenceShift))
      const [, marks = ''] = fenceStart.exec(line) ?? []
      if (marks.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = ''
      prepared.push(line)
      continue
    }
    const line = boxes.setBack(raw)
    const [, marks = ''] = fenceStart.exec(line) ?? []
    if (marks !== '') {
      fence = marks
      fenceShift = boxes.taken
      prepared.push(line)
      continue
    }
    const isBlank = line.trim() === ''
    const isCode = !isList && (line.startsWith('    ') || line.startsWith('\t'))
    const tag = isBlank || isCode ? undefined : tagAt(lines, at, line)
    if (!tag) {
      if (!isBlank && indentOf(line) < 4)
        isList = listItem.test(line) || (isList && indentOf(line) > 0)
      const text = isCode ? line : prepareLine(line, isHead, () => boxes.openIndented(line))
      if (!isBlank && text !== '' && !/^---\s*$/.test(line)) isHead = isHead && at < headLines
      prepared.push(text)
      continue
    }
    at += tag.lines - 1
    isList = isList && indentOf(line) > 0
    if (tag.isClosing) boxes.close()
    else if (!tag.isEmpty && tag.inner === undefined) boxes.open(line)
    const label = tag.isClosing ? '' : componentLabel(tag.text)
    const indent = ' '.repeat(indentOf(line))
    const parts = [label, tag.inner ?? ''].filter(Boolean).map((part) => indent + part)
    prepared.push(parts.length === 0 ? '' : `\n${parts.join('\n\n')}\n`)
  }
  return prepared.join('\n')
}

const fenceStart = /^[ \t>]*(`{3,}|~{3,})/
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s/

/** Front matter and imports are within this many lines. */
const headLines = 60

/** MDX syntax that does not occur in prose; an import without a semicolon, at the start only. */
const siteLine = /^export\s+(?:const|default|function)\b.*[={(].*$|^\s*(?:\{\/\*.*\*\/\}|:{3,})\s*$/
const importLine = /^import\s(?:[\w$*{}\s,]{1,500}\sfrom\s)?\s*['"][^'"]{1,500}['"](;?)\s*$/

function prepareLine(line: string, isHead: boolean, openIndented: () => void): string {
  const [, semicolon] = importLine.exec(line) ?? []
  if (siteLine.test(line) || semicolon || (isHead && semicolon === '')) return ''
  // `:::tip Title`, `!!! note "Title"`, `=== "Tab"`: the line becomes a label.
  const [, marks = '', kind, title] =
    /^\s*(:{3,}|!!!|\?\?\?\+?|={3}(?=\s+["']))\s*([a-z]+)?\s*(?:[["'](.*?)["'\]])?\s*$/.exec(
      line,
    ) ?? []
  if (marks === '' || !(kind || title)) return containerLine(line)
  if (!marks.startsWith(':')) openIndented()
  return `\n${' '.repeat(indentOf(line))}**${title || kind}:**\n`
}

/** `:::tip Watch out`: a title without quotes. */
function containerLine(line: string): string {
  const [, title] = /^\s*:{3,}\s*[a-z]+\s+(\S.*?)\s*$/.exec(line) ?? []
  return title === undefined ? line : `\n**${title}:**\n`
}
