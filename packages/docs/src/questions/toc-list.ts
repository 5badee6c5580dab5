import type { Source } from '../excerpt/excerpt.ts'
import { foldedList } from '../excerpt/folded-list.ts'

/** One section in a table of contents. */
export interface TocEntry {
  id: string
  title: string
  /** 1–6 for headings; entries of definition lists are one below their heading. */
  level: number
  kind: 'heading' | 'entry'
  /** Id of the containing section. */
  parent?: string
  /** Estimated tokens of the section with its subsections and code blocks. */
  tokens: number
  /** Estimated tokens of its own text. */
  ownTokens: number
  /** Code blocks and tables of the section with its subsections. */
  codeBlocks: number
  tables: number
  /** Change since the section was last read; absent if unchanged. */
  change?: 'changed' | 'new'
}

const maxTitleLength = 60
/** A list with fewer lines is not folded further. */
const minLines = 5

/** The entries as a nested Markdown list: title, `{id}` if the title is ambiguous, cost, change. */
export function tocSource(resource: string, entries: readonly TocEntry[]): Source {
  const depths = depthsOf(entries)
  const titles = new Map<string, number>()
  for (const { title } of entries) titles.set(title, (titles.get(title) ?? 0) + 1)
  const items = entries.map((entry, at) => {
    const { id, title, change } = entry
    const isWhole = title.length <= maxTitleLength
    const short = isWhole ? title : `${title.slice(0, maxTitleLength - 1)}…`
    const name = isWhole && titles.get(title) === 1 ? short : `${short} {${id}}`
    return { depth: depths[at] ?? 0, text: `${name} ${costOf(entry)}`.trim(), mark: change }
  })
  return foldedList(`${resource} toc`, items, minLines).source
}

/** Nesting follows parents, not levels, because pages skip levels. */
function depthsOf(entries: readonly TocEntry[]): number[] {
  const depth = new Map<string, number>()
  return entries.map((entry) => {
    const entryDepth = entry.parent === undefined ? 0 : (depth.get(entry.parent) ?? -1) + 1
    depth.set(entry.id, entryDepth)
    return entryDepth
  })
}

/** `~7100/60 c3 t1`: tokens with subsections and of its own text, code blocks, tables. */
function costOf({ tokens, ownTokens, codeBlocks, tables }: TocEntry): string {
  const ownPart = ownTokens < tokens * 0.9 ? `/${ownTokens}` : ''
  const code = codeBlocks > 0 ? ` c${codeBlocks}` : ''
  return `~${tokens}${ownPart}${code}${tables > 0 ? ` t${tables}` : ''}`
}
