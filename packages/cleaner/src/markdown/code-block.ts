import type { Element, Nodes } from 'hast'
import { classesOf, stringProperty } from '../tree/properties.ts'
import { longestBackticks } from './longest-backticks.ts'
import type { State } from './state.ts'

/** Class names that carry a language: `language-js`, `highlight-python3`, `highlight-source-sh`. */
const languageClass = /^(?:language|lang|highlight-source|highlight|brush)[-:](.+)$/

/** Names by which generators say that they know no language. */
const noLanguage = new Set(['default', 'none', 'notranslate', 'plaintext', 'text', 'nohighlight'])

const lineClasses = new Set(['line', 'code-line', 'token-line', 'cm-line', 'view-line', 'ec-line'])

/** The language an element names for the code in it. */
export function languageOf(element: Element): string | undefined {
  const stated = stringProperty(element, 'dataLanguage') ?? stringProperty(element, 'dataLang')
  const classes = classesOf(element)
  const brush = classes.indexOf('brush:')
  const source = classes.indexOf('sourceCode')
  const next = brush >= 0 ? classes[brush + 1] : source >= 0 ? classes[source + 1] : undefined
  const named = classes.map((name) => languageClass.exec(name)?.[1]).find((name) => name)
  const language = (stated || named || next)?.toLowerCase().replace(/[^\w+#.-].*$/, '')
  return language && !noLanguage.has(language) ? language : undefined
}

export function writeCodeBlock(element: Element, state: State): void {
  const code = codeOf(element).replace(/^\n/, '').trimEnd()
  if (code.trim() === '') return
  const inner = element.children.find((child) => child.type === 'element')
  const language = (inner && languageOf(inner)) ?? languageOf(element) ?? state.codeLanguage
  const fence = '`'.repeat(Math.max(2, longestBackticks(code)) + 1)
  state.block({
    kind: 'code',
    markdown: `${fence}${language ?? ''}\n${code}\n${fence}`,
    lines: code.split('\n').length,
    ...(language && { language }),
  })
}

/**
 * The text of a code block. Highlighters that wrap each line in an element of its own leave out
 * the newlines; they come back here, once.
 */
function codeOf(element: Element): string {
  let code = ''
  let lineEnded = false
  write(element)
  return code.replaceAll('\u00a0', ' ')

  function write(node: Nodes): void {
    if (node.type === 'text') {
      if (lineEnded && node.value !== '' && !node.value.startsWith('\n')) code += '\n'
      if (node.value !== '') lineEnded = false
      code += node.value
    } else if (node.type === 'element') {
      if (node.tagName === 'br') {
        code += '\n'
        lineEnded = false
        return
      }
      const isLine = node !== element && standsOnALine(node)
      if (isLine && (lineEnded || (code !== '' && !code.endsWith('\n')))) code += '\n'
      if (isLine) lineEnded = false
      for (const child of node.children) write(child)
      if (isLine) lineEnded = !code.endsWith('\n') || node.children.length === 0
    }
  }
}

const standsOnALine = (element: Element): boolean =>
  ['div', 'li', 'p'].includes(element.tagName) ||
  classesOf(element).some((name) => lineClasses.has(name))
