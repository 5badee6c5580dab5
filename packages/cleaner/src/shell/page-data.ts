import type { Element, Root } from 'hast'
import { below } from '../tree/below.ts'
import { stringProperty } from '../tree/properties.ts'
import { textOf } from '../tree/text-of.ts'
import { isText, wordsIn } from './text-of-page.ts'

/** A text in the data of a page. */
export interface Piece {
  /** `script#__NEXT_DATA__`, `script[type="text/markdown"]` */
  place: string
  format: 'html' | 'markdown'
  text: string
}

/** Of Markdown and of templates. */
const textType =
  /^(?:(?:text|application)\/(?:x-)?(?:markdown|md)|text\/(?:html|plain|template|x-[\w-]*template|x-handlebars))$/i
const jsonType = /^application\/(?:[\w.]+\+)?json$/i
/** `window.__DATA__ = …` with JSON behind it. */
const assignment = /^\s*(?:window|self|globalThis)\s*[.[]\s*["']?(\w{1,80})["']?\]?\s*=\s*/

/** Texts in scripts and text areas, the longest first, and the places of data without a text. */
export function pageData(root: Root): { pieces: Piece[]; unread: string[] } {
  const pieces: Piece[] = []
  const unread: string[] = []
  for (const element of below(root)) {
    const data = dataIn(element)
    const piece = data && pieceOf(data.texts)
    if (piece) pieces.push({ place: data.place, ...piece })
    else if (data) unread.push(data.place)
  }
  return { pieces: pieces.sort((a, b) => b.text.length - a.text.length), unread }
}

/** The strings of an element with data; undefined for any other. */
function dataIn(element: Element): { place: string; texts: string[] } | undefined {
  const { tagName } = element
  if (tagName !== 'script' && tagName !== 'textarea') return undefined
  const id = stringProperty(element, 'id')
  const type = stringProperty(element, 'type')?.split(';')[0]?.trim() ?? ''
  const place = `${tagName}${id ? `#${id}` : type ? `[type="${type}"]` : ''}`
  const text = textOf(element)
  if (text.trim() === '') return undefined
  if (tagName === 'textarea' || textType.test(type)) return { place, texts: [undented(text)] }
  if (jsonType.test(type)) return { place, texts: stringsIn(text) }
  const [assigned, name] =
    (type === '' || type === 'text/javascript' ? assignment.exec(text) : null) ?? []
  if (assigned === undefined) return undefined
  const value = text.slice(assigned.length).trim().replace(/;$/, '')
  return { place: `script: ${name}`, texts: stringsIn(value) }
}

/** The strings of JSON, in order; none of what is not JSON. */
function stringsIn(json: string): string[] {
  const strings = new Set<string>()
  try {
    JSON.parse(json, (key, value: unknown) => {
      if (typeof value === 'string' && !/compiled/i.test(key)) strings.add(value)
      return value
    })
  } catch {
    return []
  }
  return [...strings]
}

const html = /<(?:p|h[1-6]|ul|ol|pre|table|section|article|main|blockquote)[\s>]/i
const markdown = /^#{1,6} \S|^(?:```|~~~)|\]\(\S/m
const code = /^\s*(?:["']use strict|\/\*|var |let |const |function\b|import |\(function|\()/
const sentence = /\p{L}{2}[.!?:](?:\s|$)|[。！？]/u

/** The text of a page among strings: HTML or Markdown, whichever is more, or else its sentences. */
function pieceOf(strings: readonly string[]): Omit<Piece, 'place'> | undefined {
  const texts = strings.filter((text) => isText(text) && !code.test(text))
  const forms = [
    { format: 'html', texts: texts.filter((text) => html.test(text)) },
    { format: 'markdown', texts: texts.filter((text) => !html.test(text) && markdown.test(text)) },
    { format: 'markdown', texts: texts.filter((text) => sentence.test(text)) },
  ] as const
  const lengths = forms.map(({ texts }) => texts.reduce((sum, text) => sum + wordsIn(text), 0))
  const at = (lengths[0] ?? 0) >= (lengths[1] ?? 0) ? 0 : 1
  const form = (lengths[at] ?? 0) > 0 ? forms[at] : forms[2]
  if (!form || form.texts.length === 0) return undefined
  return { format: form.format, text: form.texts.join('\n\n') }
}

/** Without the indent that all its lines have. */
function undented(text: string): string {
  const indents = text.split('\n').flatMap((line) => (line.trim() ? [line.search(/\S/)] : []))
  const least = indents.reduce((min, indent) => Math.min(min, indent), 99)
  return text
    .split('\n')
    .map((line) => line.slice(least))
    .join('\n')
    .trim()
}
