import { componentLabel } from './component-label.ts'

/**
 * Take out of Markdown source what belongs to the site that renders it: imports, component tags
 * and comments of MDX, the lines of directives. What a component has inside is set back by as much
 * as it was set in, so that it is not taken for code. Code fences stay as they are.
 */
export function prepareMarkdown(source: string): string {
  let fence = ''
  const components = createComponents()
  const lines = source.replace(/^\ufeff/, '').split(/\r\n?|\n/)
  const prepared: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = components.setBack(lines[at] ?? '')
    const [, marks = ''] = /^[ \t>]*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence !== '') {
      if (marks.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = ''
      prepared.push(line)
      continue
    }
    if (marks !== '') {
      fence = marks
      prepared.push(line)
      continue
    }
    const tag = tagAt(lines, at, line)
    if (!tag) {
      prepared.push(prepareLine(line))
      continue
    }
    const label = components.note(tag.text)
    prepared.push(label === '' ? '' : `\n${indentOf(line)}${label}\n`)
    at += tag.lines - 1
  }
  return prepared.join('\n')
}

const component = /^\s*<\/?[A-Z][\w.]*(?:\s[^<>]*)?\/?>\s*$/
const beginning = /^\s*<[A-Z][\w.]*(?:\s[^<>]*)?$/
const mostTagLines = 20

/** The tag of a component that stands alone, on one line or on several. */
function tagAt(
  lines: readonly string[],
  at: number,
  line: string,
): { text: string; lines: number } | undefined {
  if (component.test(line)) return { text: line, lines: 1 }
  if (!beginning.test(line)) return undefined
  let text = line
  for (let more = 1; more < mostTagLines && at + more < lines.length; more++) {
    text += ` ${lines[at + more]?.trim()}`
    if (component.test(text)) return { text, lines: more + 1 }
    if (!beginning.test(text)) return undefined
  }
  return undefined
}

const indentOf = (line: string): string => /^ */.exec(line)?.[0] ?? ''

/** Components that are open, each with how far its inside is set in beyond its tag. */
function createComponents() {
  const open: { indent: number; shift: number | undefined }[] = []
  let shift = 0

  return {
    /** A line as it stands without the components around it. */
    setBack(line: string): string {
      if (open.length === 0 || line.trim() === '') return line
      const indent = indentOf(line).length
      const inner = open.at(-1)
      const isClosing = /^\s*<\/[A-Z]/.test(line)
      if (inner && inner.shift === undefined && !isClosing) {
        inner.shift = Math.max(0, indent - shift - inner.indent)
        shift += inner.shift
      }
      return line.slice(Math.min(indent, shift))
    },
    /** What the tag of a component, opened or closed, says to a reader. */
    note(tag: string): string {
      const text = tag.trim()
      if (text.startsWith('</')) {
        shift -= open.pop()?.shift ?? 0
        return ''
      }
      if (!text.endsWith('/>')) open.push({ indent: indentOf(tag).length, shift: undefined })
      return componentLabel(text)
    },
  }
}

const siteLines: readonly RegExp[] = [
  /^import\s.+\sfrom\s+['"].+['"];?\s*$/,
  /^import\s+['"].+['"];?\s*$/,
  /^export\s+(?:const|default|function)\b.*$/,
  /^\s*\{\/\*.*\*\/\}\s*$/,
  /^\s*:{3,}\s*$/,
]

function prepareLine(line: string): string {
  if (siteLines.some((pattern) => pattern.test(line))) return ''
  // `:::tip Title`, `!!! note "Title"`: what opens a box becomes its label.
  const [, kind, title] =
    /^\s*(?::{3,}|!!!|\?\?\?\+?)\s*([a-z]+)\s*(?:[["]?(.*?)["\]]?)?\s*$/.exec(line) ?? []
  return kind ? `\n**${title || kind}:**\n` : line
}
