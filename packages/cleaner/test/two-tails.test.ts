import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cleanHtml, rehypeParse5, toMarkdown } from '@pith-mcp/cleaner'
import { pithClean, pithRemark } from '@pith-mcp/cleaner/remark'
import type { Nodes } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkMath from 'remark-math'
import remarkParse from 'remark-parse'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'

/**
 * Our own Markdown and that of rehype-remark, read again, mean the same. They differ, on purpose,
 * where ours
 * - leaves `$`, `_`, `~~`, `\(` and `[x]()` unescaped, so that the words of the page are found;
 * - leaves the blanks in the code of a table's cell, which rehype-remark collapses;
 * - drops a mark that would touch another, or a star of the text;
 * - writes two lists, one directly after the other, as Markdown reads them: as one;
 * - leaves code that stands in a list outside any item where it stands;
 * - marks words between letters that Markdown then does not take for marked (`**?**NNN`);
 * - names a local address without a scheme's escape, which GFM then makes a link.
 */
const standard = unified()
  .use(rehypeParse5)
  .use(pithClean)
  .use(pithRemark)
  .use(remarkStringify)
  .freeze()

const reader = unified().use(remarkParse).use(remarkGfm).use(remarkMath).freeze()

function meaningOf(node: Nodes): string {
  switch (node.type) {
    case 'text':
      return node.value.replace(/\s+/g, ' ').replace(/\\([()[\]])/g, '$1')
    case 'inlineCode':
      return `\`${node.value}\``
    case 'code':
      return `code ${node.lang ?? ''} [${node.value}]`
    case 'html':
    case 'inlineMath':
    case 'math':
      return `${node.type} [${node.value}]`
    case 'tableRow':
      // GFM fills up a row that is shorter than the header.
      return `row [${node.children
        .map(meaningOf)
        .join('|')
        .replace(/(?:\|tableCell \[\])+$/, '')}]`
    case 'heading':
      return `h${node.depth} [${node.children.map(meaningOf).join('').trim()}]`
    case 'list':
      return `${node.ordered ? 'ol' : 'ul'} [${node.children.map(meaningOf).join('')}]`
    default:
      return 'children' in node
        ? `${node.type} [${node.children.map(meaningOf).join('').trim()}]`
        : node.type
  }
}

const blocksOf = (markdown: string): string[] => reader.parse(markdown).children.map(meaningOf)

/** Blocks of one that the other has not, in any order; moved ones count as the same. */
function missing(from: readonly string[], to: readonly string[]): string[] {
  const left = new Map<string, number>()
  for (const block of to) left.set(block, (left.get(block) ?? 0) + 1)
  return from.filter((block) => {
    const count = left.get(block) ?? 0
    left.set(block, count - 1)
    return count <= 0
  })
}

function compare(html: string): { ours: string[]; theirs: string[]; blocks: number } {
  // The stock compiler writes the number of a note as a part of the word, and notes as a list.
  const markdown = toMarkdown(cleanHtml(html)).replace(/^\[\^(\d+)\]: /gm, '$1. ')
  const own = blocksOf(markdown.replace(/\[\^(\d+)\]/g, '$1'))
  const other = blocksOf(String(standard.processSync(html)))
  return { ours: missing(own, other), theirs: missing(other, own), blocks: own.length }
}

const fixtures = new URL('fixtures/', import.meta.url)

test.for(readdirSync(fixtures))('%s', (name) => {
  const { ours, theirs } = compare(readFileSync(new URL(`${name}/input.html`, fixtures), 'utf8'))
  expect({ ours, theirs }).toEqual({ ours: [], theirs: [] })
})

/** Pages that nobody here wrote; `pnpm bench corpus` fetches them where Debian's packages are. */
const corpus = fileURLToPath(new URL('../../../bench/.corpus/', import.meta.url))
const pages = existsSync(corpus)
  ? readdirSync(corpus, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith('.html'))
      .map((file) => join(file.parentPath, file.name))
      .filter((file) => statSync(file).size < 1_000_000)
      .map((file) => relative(corpus, file))
      // Whole manuals, which the benches of docs-mcp fetch: tens of thousands of pages.
      .filter((path) => !/^(?:ledger|manuals)\//.test(path))
  : []

/**
 * In percent of their blocks: pages with more formulas, stars, code in cells, notes, badges and
 * counters of lists than others.
 */
const known: Readonly<Record<string, number>> = {
  'Manual/lists.html': 25,
  'Manual/strings.html': 12,
  'arm/chapter3.html': 4,
  'git-doc/gitrevisions.html': 5,
  'html/gen_server.html': 4,
  'html/group__QuickRefPage.html': 13,
  'html/group__TutorialGeometry.html': 12,
  'intro/tutorial01.html': 2.5,
  'ja/pkgs.html': 2,
  'language/lambda.html': 6,
  'maint-guide-ja/html/dreq.ja.html': 21,
  'maint-guide-ja/html/modify.ja.html': 12,
  'sqlite3/lang_expr.html': 4,
}
const most = 1.5

describe.skipIf(pages.length === 0 || !process.env['LONG'])('pages of the corpus', () => {
  test.for(pages)('%s', { timeout: 60_000 }, (path) => {
    const { ours, blocks } = compare(readFileSync(join(corpus, path), 'utf8'))
    const limit = Object.entries(known).find(([end]) => path.endsWith(end))?.[1] ?? most
    const allowed = Math.max(2, (blocks * limit) / 100)
    expect(ours.length, ours.slice(0, 3).join('\n')).toBeLessThanOrEqual(allowed)
  })
})
