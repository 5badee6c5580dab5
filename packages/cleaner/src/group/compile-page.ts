import type { Plugin } from 'unified'
import type { FlatEntry, FlatHeading, FlatRoot } from '../markdown/flat-tree.ts'
import type { Page, Section } from '../page.ts'
import type { PageFacts } from '../region/rehype-main-region.ts'
import { slug } from './slug.ts'

export interface PageOptions {
  /** Becomes `Page.url`. */
  url?: string
}

declare module 'unified' {
  interface CompileResultMap {
    page: Page
  }
}

/** Unified compiler: group a flat run of headings, terms and blocks into a `Page`. */
export const compilePage: Plugin<[PageOptions?], FlatRoot, Page> = function (options) {
  this.compiler = (tree, file) => {
    const facts = file.data.pageFacts
    const sections = group(tree as FlatRoot, facts)
    const kept = textLength(sections)
    return {
      url: options?.url ?? '',
      title: titleOf(sections, facts),
      ...(facts?.language && { language: facts.language }),
      sections,
      health: {
        region: facts?.region ?? '',
        reason: facts?.reason ?? 'body',
        kept: facts?.bodyLength ? Math.min(1, kept / facts.bodyLength) : 0,
        suspectedShell: (facts?.scripts ?? 0) > 0 && kept < 200,
      },
    }
  }
}

/** Characters of the kept sections, blanks and most of the markup aside. */
function textLength(sections: readonly Section[]): number {
  let length = 0
  for (const { title, blocks } of sections) {
    length += title.replace(/\s+/g, '').length
    for (const { markdown } of blocks) length += markdown.replace(/[\s`*|\\]+/g, '').length
  }
  return length
}

function titleOf(sections: readonly Section[], facts: PageFacts | undefined): string {
  const first = sections.find((section) => section.level === 1 && section.kind === undefined)
  if (first) return first.title
  // «Title — Site», «Title | Site»: the page's own part comes first.
  const stated = facts?.title?.split(/ [|—–·»] | :: /)[0]?.trim()
  return stated || sections.find((section) => section.title !== '')?.title || ''
}

function group(tree: FlatRoot, facts: PageFacts | undefined): Section[] {
  const sections: Section[] = []
  const taken = new Set(
    tree.children.flatMap((node) => ('title' in node && node.id ? [node.id, ...node.aliases] : [])),
  )
  const used = new Set<string>()
  /** The sections around the current one, outermost first. */
  const open: Section[] = []
  const entries: Section[] = []

  for (const node of tree.children) {
    if (node.type === 'flatHeading') {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= node.level) open.pop()
      begin(node, node.level)
    } else if (node.type === 'flatEntry') {
      entries.push(begin(node, Math.min((open.at(-1)?.level ?? 0) + 1, 7), 'entry'))
    } else if (node.type === 'flatEntryEnd') {
      // A heading inside the entry may have closed it already.
      const depth = open.indexOf(entries.pop() as Section)
      if (depth >= 0) open.length = depth
    } else if (node.type === 'flatAnchor') {
      if (!taken.has(node.id)) addAlias(current(), node.id)
    } else current().blocks.push(node.block)
  }
  return sections.filter((section) => section.kind !== 'continuation' || section.blocks.length > 0)

  function begin(node: FlatHeading | FlatEntry, level: number, kind?: 'entry'): Section {
    const section: Section = {
      id: unique(node.id ?? slug(node.title)),
      ...(node.aliases.length > 0 && { aliases: [...node.aliases] }),
      title: node.title,
      level,
      ...parentOf(),
      ...(kind && { kind }),
      blocks: [],
    }
    sections.push(section)
    open.push(section)
    return section
  }

  /** The section that takes the next block: after entries have closed, a continuation. */
  function current(): Section {
    const last = sections.at(-1)
    const inner = open.at(-1)
    if (last && last === inner) return last
    if (last?.kind === 'continuation' && last.parent === inner?.id) return last
    const opened: Section = inner
      ? {
          id: unique(`${inner.id}~`),
          title: '',
          level: inner.level,
          parent: inner.id,
          kind: 'continuation',
          blocks: [],
        }
      : { id: unique('top'), title: facts?.title ?? '', level: 0, blocks: [] }
    sections.push(opened)
    return opened
  }

  function parentOf(): { parent?: string } {
    const parent = open.at(-1)
    return parent ? { parent: parent.id } : {}
  }

  function unique(id: string): string {
    let free = id || 'section'
    for (let count = 2; used.has(free); count++) free = `${id}-${count}`
    used.add(free)
    return free
  }

  function addAlias(section: Section, id: string): void {
    if (section.id === id || section.aliases?.includes(id)) return
    section.aliases = [...(section.aliases ?? []), id]
  }
}
