// How much of what a page says is in a piece of Markdown, and how much else.
import { encode } from 'gpt-tokenizer/encoding/o200k_base'

const plain = (text) => text.replace(/\\([!-/:-@[-`{-~])/g, '$1')

/** Words in lower case, with how often each occurs. Addresses of links and HTML tags are not words. */
export function wordsOf(text) {
  const counts = new Map()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}_]+/gu))
    counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Markdown as it reads: code as it is, everything else without addresses, tags and marks. */
export function readable(markdown) {
  return markdown
    .split(
      /^((?:[ \t]|>|[-*+] |\d+[.)] )*(?:`{3,}|~{3,})[^`\n]*$[\s\S]*?^[ \t>]*(?:`{3,}|~{3,})[ \t]*$)/m,
    )
    .map((part, index) => (index % 2 === 1 ? part.replace(/^.*\n|\n.*$/g, '') : prose(part)))
    .join('\n')
}

function prose(text) {
  return text
    .split(/((?<![`\\])(`+)(?!`)[\s\S]*?(?<!`)\2(?!`))/)
    .map((part, index) => {
      if (index % 3 === 1) return part.replace(/^`+|`+$/g, '')
      if (index % 3 === 2) return ''
      return plain(
        part
          .replace(/\]\((?:[^()\s]|\([^()]*\))*(?:\s+"[^"]*")?\)/g, ']')
          .replace(/\[\^(\d+)\]/g, '$1')
          .replace(/(?<!\\)<\/?[a-z][^<>]*>/gi, ' ')
          .replace(/^(\s*)\d+\. /gm, '$1')
          .replace(/(?<!\\)[*]{1,3}/g, ''),
      )
    })
    .join('')
}

export function overlap(truth, found) {
  let shared = 0
  for (const [word, count] of truth) shared += Math.min(count, found.get(word) ?? 0)
  const total = (counts) => [...counts.values()].reduce((sum, count) => sum + count, 0)
  const recall = shared / (total(truth) || 1)
  const precision = shared / (total(found) || 1)
  return {
    recall,
    precision,
    f1: recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision),
  }
}

const key = (text) =>
  plain(text)
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()

/** Share of `wanted` found in a bag of keys, each as often as it is there. */
function share(wanted, keys) {
  const bag = new Map()
  for (const name of keys) bag.set(name, (bag.get(name) ?? 0) + 1)
  let found = 0
  for (const name of wanted) {
    const left = bag.get(name) ?? 0
    if (left > 0) {
      found++
      bag.set(name, left - 1)
    }
  }
  return { found, total: wanted.length }
}

export function score(truth, markdown) {
  const text = readable(markdown)
  const lines = markdown.split('\n')
  const headings = lines
    .filter((line) => /^[ >]*#{1,6} /.test(line))
    .map((line) => key(strip(line)))
  const fences = fencesOf(lines)
  const code = truth.code.map(({ text }) => key0(text))
  const languages = truth.code.filter(({ language }) => language)
  const byCode = new Map(fences.map(({ language, text }) => [text, language]))
  const rows = lines.filter((line) => /^[ >]*\|/.test(line)).map((line) => key(strip(line)))
  const starts = lines.map((line) => key(strip(line)))
  const items = lines
    .filter((line) => /^[ >]*(?:[ \t]{2,})(?:[-*+]|\d+[.)]) /.test(line))
    .map((line) => key(strip(line.replace(/^[ >]*(?:[-*+]|\d+[.)]) /, ''))))
  return {
    words: overlap(wordsOf(truth.text), wordsOf(text)),
    headings: share(truth.headings.map(key).filter(Boolean), headings),
    code: share(
      code,
      fences.map((fence) => fence.text),
    ),
    language: {
      found: languages.filter(({ text, language }) => byCode.get(key0(text)) === language).length,
      total: languages.length,
    },
    rows: share(truth.rows.map((row) => key(row.join(' '))).filter(Boolean), rows),
    terms: begun(truth.terms.map(key).filter(Boolean), starts),
    nested: begun(truth.nested.map((line) => key(line).slice(0, 40)).filter(Boolean), items),
    latex: {
      found: truth.latex.filter((formula) =>
        markdown.replace(/\s+/g, '').includes(unwrapped(formula).replace(/\s+/g, '')),
      ).length,
      total: truth.latex.length,
    },
    duplicated: duplicatedLines(truth.text, markdown),
    tokens:
      encode(markdown).length /
      Math.max(
        1,
        encode(
          truth.text
            .replace(/[ \t]+/g, ' ')
            .replace(/\s*\n\s*/g, '\n')
            .trim(),
        ).length,
      ),
  }
}

const unwrapped = (formula) => formula.replace(/^\\[([]|\\[)\]]$/g, '')

const key0 = (text) =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+/, '')

const strip = (line) => readable(line.replaceAll('<br>', ' '))

/** Terms and items may go on behind what is looked for. */
function begun(wanted, lines) {
  const left = [...lines]
  let found = 0
  const index = new Map()
  left.forEach((line, at) => {
    const start = line.slice(0, 8)
    if (!index.has(start)) index.set(start, [])
    index.get(start).push(at)
  })
  for (const name of wanted) {
    const candidates = name.length >= 8 ? (index.get(name.slice(0, 8)) ?? []) : left.keys()
    for (const at of candidates)
      if (left[at]?.startsWith(name)) {
        left[at] = undefined
        found++
        break
      }
  }
  return { found, total: wanted.length }
}

function fencesOf(lines) {
  const fences = []
  for (let at = 0; at < lines.length; at++) {
    const open = /^((?:[ \t]|>|[-*+] |\d+[.)] )*)(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/.exec(lines[at])
    if (!open) continue
    const [, prefix, fence, language] = open
    const width = prefix.length
    const body = []
    for (at++; at < lines.length; at++) {
      const line =
        lines[at].slice(0, width).trim() === '' ||
        lines[at].startsWith(prefix.trimEnd()) ||
        /^[\s>]*$/.test(lines[at].slice(0, width))
          ? lines[at].slice(width)
          : lines[at]
      if (line.trim().startsWith(fence) && /^[`~\s]+$/.test(line)) break
      body.push(line)
    }
    fences.push({ language: language.toLowerCase(), text: key0(body.join('\n').trimEnd()) })
  }
  return fences
}

/** Longer lines that stand more often in the Markdown than on the page. */
function duplicatedLines(truth, markdown) {
  const count = (text) => {
    const counts = new Map()
    for (const line of text.split('\n')) {
      const name = key(strip(line))
      if (name.length >= 40) counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  }
  const whole = key(truth)
  let extra = 0
  for (const [line, times] of count(markdown)) {
    if (times < 2) continue
    extra += Math.max(0, times - Math.max(1, whole.split(line).length - 1))
  }
  return extra
}
