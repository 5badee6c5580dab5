import type { Plugin } from 'unified'
import type { FlatRoot } from '../markdown/flat-tree.ts'
import type { Page, Section } from '../page.ts'
import type { PageFacts } from '../region/rehype-main-region.ts'
import { groupSections } from './group-sections.ts'

/** Options of {@link compilePage}. */
export interface PageOptions {
  /** Value of `Page.url`. */
  url?: string
}

declare module 'unified' {
  interface CompileResultMap {
    page: Page
  }
}

/** Unified compiler: group headings, terms and blocks into a `Page`. */
export const compilePage: Plugin<[PageOptions?], FlatRoot, Page> = function (options) {
  this.compiler = (tree, file) => {
    const facts = file.data.pageFacts
    const sections = groupSections(tree as FlatRoot, facts?.title ?? '')
    const keptLength = facts?.keptLength ?? 0
    return {
      url: options?.url ?? '',
      title: titleOf(sections, facts),
      ...(facts?.language && { language: facts.language }),
      sections,
      health: {
        region: facts?.region ?? '',
        reason: facts?.reason ?? 'body',
        kept: facts?.bodyLength ? keptLength / facts.bodyLength : 0,
        suspectedShell: (facts?.scripts ?? 0) > 0 && keptLength < 200,
        ...(file.data.profile && { profile: file.data.profile.name }),
        ...(facts?.leftOut && { leftOut: facts.leftOut }),
        ...(facts?.overruled && { overruled: facts.overruled }),
        ...(file.data.removals && { removals: file.data.removals }),
      },
    }
  }
}

function titleOf(sections: readonly Section[], facts: PageFacts | undefined): string {
  const [first, second] = sections.filter(({ level, kind }) => level === 1 && kind === undefined)
  // In «Title — Site» and «Title | Site» the title of the page comes first.
  const stated = facts?.title?.split(/ [|—–·»] | :: /)[0]?.trim()
  // Numbered headings of the first level are chapters of the page.
  // Of several, none is the title of what is below the others.
  if (first && !second) return first.title
  return stated || sections.find((section) => section.title !== '')?.title || ''
}
