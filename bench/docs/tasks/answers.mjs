// Whether a reply has the answer of a task, and which sections of a manual have it.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cleanHtml, cleanMarkdown } from '../../../packages/cleaner/dist/index.js'
import { recordOf } from '../page-record.mjs'
import { pagesOf } from './manuals.mjs'

const entities = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ' }
const blocks =
  /<\/?(?:p|div|li|td|th|tr|dt|dd|h\d|br|pre|ul|ol|dl|table|section|article)\b[^<>]*>/gi

/** The visible characters of HTML or Markdown, without marks, on one line. */
export const plain = (text) =>
  text
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(blocks, ' ')
    .replace(/<\/?[a-z][^<>]*>/gi, '')
    .replace(/&(#x?[\da-f]+|\w+);/gi, (all, name) =>
      name.startsWith('#')
        ? String.fromCodePoint(Number(name.replace(/^#x/i, '0x').replace('#', '')))
        : (entities[name] ?? all),
    )
    .replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/[`*\\]/g, '')
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/\s+/g, ' ')

/** True if all patterns of the answer are in the text. */
export function hasAnswer(text, { answer }) {
  const read = plain(text)
  return answer.every((pattern) => new RegExp(pattern, 'iu').test(read))
}

const cleaner = fileURLToPath(new URL('../../../packages/cleaner/dist/index.js', import.meta.url))

/** The pages of a manual as the indexes take them, kept beside it until the cleaner changes. */
export function recordsOf(manual) {
  const file = `${manual.root}/../.records-${manual.name}.json`
  const isCurrent = existsSync(file) && statSync(file).mtimeMs > statSync(cleaner).mtimeMs
  if (isCurrent) return JSON.parse(readFileSync(file, 'utf8'))
  const records = []
  for (const page of pagesOf(manual)) {
    try {
      const text = readFileSync(`${manual.root}/${page}`, 'utf8')
      const clean = page.endsWith('.md') ? cleanMarkdown : cleanHtml
      records.push({ ...recordOf(clean(text, { url: `https://example.org/${page}` })), url: page })
    } catch (error) {
      console.error(`${manual.name} ${page}: ${error.message.split('\n')[0]}`)
    }
  }
  mkdirSync(`${manual.root}/..`, { recursive: true })
  writeFileSync(file, JSON.stringify(records))
  return records
}

/** Own texts of sections by `page#id`, parts that go on after entries included. */
export function textsOf(records) {
  const texts = new Map()
  for (const { url, sections } of records)
    for (const { id, title, text } of sections) {
      const key = `${url}#${id}`
      texts.set(key, `${texts.get(key) ?? title}\n${text}`)
    }
  return texts
}

/** What a hit `page#id` is for a task: its page is right, and so is its section. */
export function judge(task, url, texts) {
  const [page, id = ''] = decodeURI(url).split('#')
  const places = task.places.filter((place) => place.page === page)
  const text = texts.get(`${page}#${id}`)
  const isRight =
    places.some((place) => place.id !== undefined && place.id === id) ||
    (text !== undefined && hasAnswer(text, task))
  return { page: places.length > 0, section: places.length > 0 && isRight }
}
