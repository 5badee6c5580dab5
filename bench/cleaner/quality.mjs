// Faithful and minimal: every cleaner on every page of the corpus, against what the page says.
//   node quality.mjs [name …] [--pages]     some cleaners only; a line for each page
import { readFileSync } from 'node:fs'
import { fetchedPages } from '../corpus/corpus.mjs'
import { longestFor, peers } from './peers.mjs'
import { score } from './score.mjs'
import { truthOf } from './truth.mjs'

const shares = ['headings', 'code', 'language', 'rows', 'terms', 'nested', 'latex']
const percent = (value) => (value * 100).toFixed(1)
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length

export async function quality(names, onPage = () => {}) {
  const pages = fetchedPages().map((page) => ({ ...page, html: readFileSync(page.file, 'utf8') }))
  const truths = new Map(pages.map((page) => [page, truthOf(page.html, page)]))
  const table = []
  for (const name of names) {
    const results = []
    for (const page of pages) {
      if (page.html.length > (longestFor[name] ?? Number.POSITIVE_INFINITY)) continue
      let markdown = ''
      try {
        markdown = await peers[name](page.html, `https://example.org/${page.page}`)
      } catch {
        // A page that breaks a cleaner counts as a page without any text.
      }
      const result = score(truths.get(page), markdown)
      results.push(result)
      onPage(name, page, result)
    }
    const ratio = (field) => {
      const total = results.reduce((sum, result) => sum + result[field].total, 0)
      return total === 0
        ? Number.NaN
        : results.reduce((sum, result) => sum + result[field].found, 0) / total
    }
    table.push({
      name,
      pages: results.length,
      recall: mean(results.map(({ words }) => words.recall)),
      precision: mean(results.map(({ words }) => words.precision)),
      worst: Math.min(...results.map(({ words }) => words.f1)),
      ...Object.fromEntries(shares.map((field) => [field, ratio(field)])),
      duplicated: results.reduce((sum, { duplicated }) => sum + duplicated, 0),
      tokens: mean(results.map(({ tokens }) => tokens)),
    })
  }
  return table
}

export function qualityTable(table) {
  const columns = ['pages', 'recall', 'precision', 'worst', ...shares, 'duplicated', 'tokens']
  const cell = (row, column) =>
    column === 'pages' || column === 'duplicated'
      ? row[column]
      : column === 'tokens'
        ? row[column].toFixed(3)
        : percent(row[column])
  return [
    `| cleaner | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...table.map(
      (row) => `| ${row.name} | ${columns.map((column) => cell(row, column)).join(' | ')} |`,
    ),
  ].join('\n')
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const flags = process.argv.slice(2)
  const names = flags.filter((flag) => !flag.startsWith('--'))
  const print = (_name, page, { words, duplicated, tokens, ...rest }) => {
    const misses = shares
      .filter((field) => rest[field].found < rest[field].total)
      .map((field) => `${field} ${rest[field].found}/${rest[field].total}`)
    console.log(
      `${page.generator.padEnd(24)} ${page.page.slice(-40).padEnd(40)} R ${percent(words.recall)} P ${percent(words.precision)} tok ${tokens.toFixed(2)} dup ${duplicated} ${misses.join(', ')}`,
    )
  }
  const table = await quality(
    names.length > 0 ? names : Object.keys(peers),
    flags.includes('--pages') ? print : undefined,
  )
  console.log(qualityTable(table))
}
