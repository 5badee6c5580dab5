import { decodeHTML } from 'entities/decode'
import type { Element, Nodes } from 'hast'
import { findBelow } from '../tree/below.ts'
import { classesOf, hasClass, stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { wordsOf } from '../tree/word-lists.ts'
import { lineNumbersIn, minNumbered } from './line-numbers.ts'

/**
 * Class names that contain a language: `language-js`, `highlight-python3`, `highlight-source-sh`.
 */
const languageClass =
  /^(?:language|lang|highlight-source|highlight|mw-highlight-lang|brush|source)[-:](.+)$/

/** Some generators use the bare name of a language as the class of a `pre` or its `code`. */
const bareLanguages = wordsOf(
  `bash c cpp cs csharp css diff go groovy haskell hs html ini java javascript js json jsonc jsx kotlin kt
  lua md mjs nim nix perl php pl powershell prolog ps1 py python r rb rs ruby rust scala scss sh shell sql
  sqlexample svelte swift tf toml ts tsx typescript vb vue xml yaml yml zig zsh`,
)

/** Maps generator-specific names to the usual names. */
const usualNames = new Map([['sqlexample', 'sql']])

/** Names that mean an unknown language. */
const noLanguage = wordsOf('default none notranslate plaintext text nohighlight')

const lineClasses = wordsOf('line code-line token-line cm-line view-line ec-line')

/** The language that an element declares for its code. */
export function languageOf(element: Element): string | undefined {
  const stated = stringProperty(element, 'dataLanguage') ?? stringProperty(element, 'dataLang')
  const classes = classesOf(element)
  const brush = classes.indexOf('brush:')
  const source = classes.indexOf('sourceCode')
  const next = brush >= 0 ? classes[brush + 1] : source >= 0 ? classes[source + 1] : undefined
  const byClass = classes.map((name) => languageClass.exec(name)?.[1]).find((name) => name)
  const bare = isWrapper(element) ? classes.find((name) => bareLanguages.has(name)) : undefined
  const language = (stated || byClass || next || bare)?.toLowerCase().replace(/[^\w+#.-].*$/, '')
  return language && !noLanguage.has(language) ? (usualNames.get(language) ?? language) : undefined
}

export interface Code {
  /** As rendered by a browser, without blank lines at both ends. */
  value: string
  language: string | undefined
}

/** The text of a code block; undefined if it is empty. `language` is inherited from ancestors. */
export function readCode(element: Element, language: string | undefined): Code | undefined {
  const text = codeOf(element)
  const value = (drawnTerminal.test(text) ? undrawn(text) : text).replace(/^\n+/, '').trimEnd()
  if (value === '') return undefined
  return { value, language: innerLanguage(element) ?? languageOf(element) ?? language }
}

/** A terminal that a script draws from markup, which the page shows as text until then. */
const drawnTerminal = /^\s*\$ [\s\S]*<font color="#/
const undrawn = (text: string): string =>
  decodeHTML(text.replace(/<\/?(?:b|font|span|u)(?:\s[^<>]*)?>/g, ''))

/** The language of a wrapper inside a `pre`: `code`, or a nested `pre`. */
function innerLanguage(element: Element): string | undefined {
  const wrapper = findBelow(element, (child) => isWrapper(child) && languageOf(child) !== undefined)
  return wrapper && languageOf(wrapper)
}

const isWrapper = isTag('code pre')

/** True for a box that a highlighter or a generator puts around code. */
export const isCodeBox = (element: Element): boolean => hasClass(element, codeBoxClass)
const codeBoxClass =
  /^(?:blob|code|codehilite|font-mono|highlight|hljs|listing|literal|mono|monospace|prism|shiki|source|sourcecode)(?:$|[-_])/i

/** Doxygen writes code as lines without a `pre` around them. */
export const isCodeBlock = (element: Element): boolean =>
  isPreformatted(element) || (element.tagName === 'div' && hasClass(element, fragments))

const isPreformatted = isTag('listing plaintext pre xmp')
const fragments = wordsOf('fragment')

/**
 * The text of a code block. Highlighters that wrap each line in an element omit the newlines; they
 * are restored here, once. The numbers of its lines are no part of it.
 */
function codeOf(element: Element): string {
  const numbers = lineNumbersIn(element)
  const text = linesOf(element, numbers)
  if (numbers.size === 0) return text
  const lines = text.trimEnd().split('\n')
  if (numbers.size < lines.length * minNumbered) return linesOf(element, new Set())
  // The number may be in one element, and the space after it in the next.
  return lines.every((line) => line === '' || /^\s/.test(line))
    ? lines.map((line) => line.slice(1)).join('\n')
    : text
}

function linesOf(element: Element, without: ReadonlySet<Element>): string {
  // To read the end of a growing string, V8 copies all of it.
  const parts: string[] = []
  let lineEnded = false
  write(element)
  return parts.join('').replaceAll('\u00a0', ' ')

  function write(node: Nodes): void {
    if (node.type === 'text' && node.value !== '') {
      if (lineEnded && !node.value.startsWith('\n')) parts.push('\n')
      lineEnded = false
      parts.push(node.value)
    } else if (node.type === 'element' && !without.has(node)) {
      if (node.tagName === 'br') {
        parts.push('\n')
        lineEnded = false
        return
      }
      const isLine = node !== element && standsOnALine(node)
      if (isLine && (lineEnded || parts.at(-1)?.endsWith('\n') === false)) parts.push('\n')
      if (isLine) lineEnded = false
      for (const child of node.children) write(child)
      if (isLine) lineEnded = !parts.at(-1)?.endsWith('\n') || node.children.length === 0
    }
  }
}

const isLine = isTag('div li p')
const standsOnALine = (element: Element): boolean =>
  isLine(element) || hasClass(element, lineClasses)
