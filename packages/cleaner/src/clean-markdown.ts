import GithubSlugger from 'github-slugger'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { assertLength, type CleanOptions } from './clean-visible.ts'
import { type MarkdownBlockOptions, markdownNodes } from './from-markdown/markdown-blocks.ts'
import { parseMarkdown } from './from-markdown/parse-markdown.ts'
import { prepareMarkdown } from './from-markdown/prepare-markdown.ts'
import { withoutNotes } from './from-markdown/without-notes.ts'
import { groupSections } from './group/group-sections.ts'
import { fenced } from './markdown/code-block.ts'
import type { FlatNode } from './markdown/flat-tree.ts'
import { rehypeMarkdown } from './markdown/rehype-markdown.ts'
import { rehypeStripNoise } from './noise/rehype-strip-noise.ts'
import type { Page } from './page.ts'
import { rehypeParse5 } from './parse/rehype-parse5.ts'

/**
 * Clean a Markdown page to the same `Page` as its HTML: front matter is parsed and removed, MDX
 * imports and tags are removed, links and tables are reduced. Fragments follow GitHub's rules.
 *
 * @throws {CleanError} `too_large` if the input is longer than `maxLength`.
 */
export function cleanMarkdown(markdown: string, options: CleanOptions = {}): Page {
  assertLength(markdown, options.maxLength)
  const source = prepareMarkdown(markdown)
  const slugger = new GithubSlugger()
  const nodeOptions = {
    links: options.links ?? 'text',
    slug: (title: string) => slugger.slug(title),
    cleanFragment: (html: string) => cleanFragment(html, options),
  } as const
  const { stated, children } = readBlocks(source, nodeOptions)
  const sections = groupSections({ type: 'flatRoot', children }, stated)
  const first = sections.find((section) => section.level === 1)
  return {
    url: options.url ?? '',
    title: first?.title || stated || sections.find(({ title }) => title !== '')?.title || '',
    sections,
    health: { region: '', reason: 'markdown', kept: 1, suspectedShell: false },
  }
}

function readBlocks(source: string, options: MarkdownBlockOptions) {
  try {
    const { frontMatter, tokens } = parseMarkdown(source)
    const children = withoutNotes(tokens).flatMap((token) => markdownNodes(token, options))
    return { stated: titleOf(frontMatter), children }
  } catch (error) {
    if (error instanceof RangeError === false) throw error
    // Nested more deeply than can be read: the source is shown as it is.
    const block = fenced({ value: source, language: 'markdown' })
    return { stated: '', children: [{ type: 'flatBlock' as const, block }] }
  }
}

function titleOf(frontMatter: string): string {
  const [, title = ''] = /^title\s*[:=]\s*(.+?)\s*$/m.exec(frontMatter) ?? []
  return title.replace(/^(['"])(.*)\1$/, '$2')
}

/** Raw HTML within Markdown, such as a table, a collapsible part or a centred heading. */
function cleanFragment(html: string, options: CleanOptions): FlatNode[] {
  const pipeline = unified()
    .use(rehypeParse5, options)
    .use(rehypeStripNoise)
    .use(rehypeMarkdown, options)
  const file = new VFile(html)
  return pipeline.runSync(pipeline.parse(file), file).children
}
