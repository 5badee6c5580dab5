// Counts, on the pages of the manual, what readers do not finish: sentences of more than 25 words,
// forms that are read twice, first paragraphs of more than two sentences, and pages of more than
// 1,500 words. With names of pages, prints each of them.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { toString as textIn } from 'mdast-util-to-string'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { unified } from 'unified'

const maxWords = 25
const maxPageWords = 1_500
const parser = unified().use(remarkParse).use(remarkGfm)
const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })
const words = new Intl.Segmenter('en', { granularity: 'word' })

/** The pages that the site shows; reference pages are generated from help and errors. */
export function pagesOfManual() {
  const sections = JSON.parse(readFileSync('docs/navigation.json', 'utf8'))
  return ['README.md', ...sections.flatMap(({ pages }) => pages)].filter(
    (page) => !/^docs\/(reference\/(?!errors)|decisions)/.test(page),
  )
}

const wordsIn = (text) =>
  [...words.segment(text)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase())

/** Texts of paragraphs and cells; code counts as one word, and ends no sentence. */
function blocksOf(node, blocks = []) {
  if (node.type === 'paragraph' || node.type === 'tableCell') {
    blocks.push({ type: node.type, text: flatText(node).trim(), line: node.position.start.line })
    return blocks
  }
  for (const child of node.children ?? []) blocksOf(child, blocks)
  return blocks
}

function flatText(node) {
  if (node.type === 'inlineCode') return 'Code'
  if (node.type === 'image' || node.type === 'imageReference') return ''
  if (node.type === 'html') return ''
  if (node.type === 'break') return ' '
  return node.children ? node.children.map(flatText).join('') : textIn(node).replaceAll('\n', ' ')
}

const sentencesOf = (text) =>
  [...sentences.segment(text)].map(({ segment }) => segment.trim()).filter((text) => text !== '')

/** Words that a form needs after it, or that end a clause. */
const ends = new Set(['is', 'are', 'was', 'were', 'and', 'or', 'but'])

/** The forms of a sentence that readers read twice. */
function formsIn(sentence) {
  const all = wordsIn(sentence)
  const forms = []
  if (all[0] === 'of') forms.push('begins with “of”')
  all.forEach((word, index) => {
    const next = all[index + 1]
    if ((word === 'that' || word === 'those') && next === 'of') forms.push(`${word} of`)
    if ((word === 'has' || word === 'have') && (next === undefined || ends.has(next)))
      forms.push(`${word} without an object`)
  })
  return forms
}

/** What a page has of each, with lines. */
export function readingOf(path) {
  const tree = parser.parse(readFileSync(path, 'utf8'))
  const blocks = blocksOf(tree)
  const long = []
  const forms = []
  for (const { text, line } of blocks)
    for (const sentence of sentencesOf(text)) {
      const { length } = wordsIn(sentence)
      if (length > maxWords) long.push({ line, length, sentence })
      for (const form of formsIn(sentence)) forms.push({ line, form, sentence })
    }
  const first = blocks.find(({ type }) => type === 'paragraph')
  const size = wordsIn(blocks.map(({ text }) => text).join('\n')).length
  return {
    long,
    forms,
    isSlow: first !== undefined && sentencesOf(first.text).length > 2,
    isLong: size > maxPageWords,
    size,
  }
}

/** The sums over the manual. */
export function readingOfManual(pages = pagesOfManual()) {
  const all = pages.map(readingOf)
  return {
    longSentences: all.reduce((sum, { long }) => sum + long.length, 0),
    forms: all.reduce((sum, { forms }) => sum + forms.length, 0),
    slowBeginnings: all.filter(({ isSlow }) => isSlow).length,
    longPages: all.filter(({ isLong }) => isLong).length,
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const asked = process.argv.slice(2)
  for (const page of asked) {
    const { long, forms, isSlow, isLong, size } = readingOf(page)
    for (const { line, length, sentence } of long)
      console.log(`${page}:${line}: ${length} words: ${sentence}`)
    for (const { line, form, sentence } of forms)
      console.log(`${page}:${line}: ${form}: ${sentence}`)
    if (isSlow) console.log(`${page}: more than two sentences in the first paragraph`)
    if (isLong) console.log(`${page}: ${size} words`)
  }
  console.log(JSON.stringify(readingOfManual(asked.length > 0 ? asked : undefined)))
}
