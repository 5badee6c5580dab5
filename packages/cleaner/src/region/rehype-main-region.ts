import type { Element, Root } from 'hast'
import { selectAll } from 'hast-util-select'
import type { Plugin } from 'unified'
import { findMisjudged } from '../noise/find-misjudged.ts'
import { type NoiseReason, noiseReasonBy } from '../noise/noise-reason.ts'
import { removalOf } from '../noise/removal.ts'
import { revealHidden } from '../noise/reveal-hidden.ts'
import type { Health, LeftOut, Page } from '../page.ts'
import { openPreformatted } from '../preformatted/open-preformatted.ts'
import type { Profile } from '../profile/profile.ts'
import { checkSelector } from '../rules/check-selector.ts'
import { compileRules, matchesRules } from '../rules/compile-rules.ts'
import { below } from '../tree/below.ts'
import { childOf, elementsIn } from '../tree/children.ts'
import { textNode } from '../tree/element.ts'
import { annotate, classesOf, stringProperty } from '../tree/properties.ts'
import { textLength } from '../tree/short-text.ts'
import { collapse, textOf } from '../tree/text-of.ts'
import { densestRegion } from './densest-region.ts'
import { findLandmark } from './find-landmark.ts'
import { measureProse, type Prose } from './measure-prose.ts'
import { siftAround } from './sift-around.ts'

export interface PageFacts
  extends Pick<Health, 'region' | 'reason' | 'overruled' | 'leftOut'>,
    Pick<Page, 'language'> {
  title?: string
  /** `<base href>`: the base of relative links, itself relative to the page. */
  base?: string
  /** Characters of text in the body, including noise, without white space. */
  bodyLength: number
  /** Characters that remain after the choice of the region. */
  keptLength: number
  scripts: number
}

declare module 'vfile' {
  interface DataMap {
    pageFacts: PageFacts
  }
}

/** Options of {@link rehypeMainRegion}. */
export interface MainRegionOptions {
  /** CSS selector of the content; ignored on a page where nothing matches. */
  content?: string
  /** Record what is removed in the file's `data.removals`. */
  debug?: boolean
}

/**
 * Reduce the tree to the element with the content, and open the text of a preformatted manual;
 * stores `pageFacts` in the file's data.
 */
export const rehypeMainRegion: Plugin<[MainRegionOptions?], Root> = (options) => (root, file) => {
  const html = childOf(root, 'html')
  const body = childOf(html, 'body')
  if (!html || !body) return
  const { profile } = file.data
  const noiseReason = noiseReasonBy(profile?.noise)
  const isNoise = (element: Element) => noiseReason(element) !== undefined
  if (profile?.title || profile?.headings || profile?.apart) markTitles(body, profile)
  revealHidden(body)
  const { prose, overruled } = measureContent(body, noiseReason)
  const selected = options?.content ? selectAll(checkSelector(options.content), html) : []
  const landmark = selected[0] ?? findLandmark(body, prose, profile?.content)
  const region = landmark ?? densestRegion(body, prose, isNoise)
  const document = documentFacts(html)
  const marks = { title: document.title ?? '', isMarked: landmark !== undefined }
  const { content, removed, leftOut } =
    selected.length > 0
      ? { content: outermost(selected), removed: [], leftOut: [] }
      : siftAround(body, region, prose, noiseReason, marks)
  file.data.pageFacts = {
    ...document,
    bodyLength: prose.bodyLength,
    keptLength: content.reduce((sum, part) => sum + lengthOf(part, prose), 0),
    scripts: prose.scripts,
    region: describe(region),
    ...(leftOut.length > 0 && { leftOut: countOf(leftOut) }),
    ...(overruled.length > 0 && { overruled }),
    reason: selected[0] ? 'selector' : landmark ? 'landmark' : region === body ? 'body' : 'density',
  }
  if (options?.debug)
    file.data.removals = removed.map(({ rule, element }) => removalOf('region', rule, element))
  root.children = content
  if (prose.preLength > file.data.pageFacts.keptLength * minPreformatted)
    openPreformatted(root, isNoise)
}

const countOf = (parts: readonly Element[]): LeftOut => ({
  blocks: parts.length,
  characters: parts.reduce((sum, part) => sum + textLength(textOf(part)), 0),
})

/** What the document says of itself. */
function documentFacts(html: Element): Pick<PageFacts, 'title' | 'language' | 'base'> {
  const head = childOf(html, 'head')
  const title = childOf(head, 'title')
  const language = stringProperty(html, 'lang')
  const base = head && elementsIn(head).find(isBase)?.properties['href']
  return {
    ...(title && { title: collapse(textOf(title)) }),
    ...(language && { language }),
    ...(base && { base: String(base) }),
  }
}

const isBase = ({ tagName, properties }: Element): boolean =>
  tagName === 'base' && Boolean(properties['href'])

/** Share of a page's text in `pre` elements, above which it may be a preformatted manual. */
const minPreformatted = 0.5

/**
 * Measure the body; if a rule treats most of the text as noise, measure again without that rule.
 */
function measureContent(
  body: Element,
  noiseReason: NoiseReason,
): { prose: Prose; overruled: string[] } {
  const isNoise = (element: Element) => noiseReason(element) !== undefined
  const overruled: string[] = []
  // The body is the page, whatever its names.
  const ownRule = noiseReason(body)
  if (ownRule !== undefined) overrule(body, ownRule)
  let prose = measureProse(body, isNoise)
  for (; overruled.length < maxOverruled; prose = measureProse(body, isNoise)) {
    const weight = prose.of.get(body) ?? { prose: 0, withLinks: 0 }
    if (weight.withLinks > prose.bodyLength * minKept) break
    const misjudged = findMisjudged(body, noiseReason, weight.prose)
    if (!misjudged) break
    overrule(misjudged.element, misjudged.rule)
  }
  return { prose, overruled }

  function overrule(element: Element, rule: string): void {
    annotate(element, { isContent: true })
    overruled.push(rule)
  }
}

/** A caller's selector may match elements that are not measured, such as paragraphs. */
const lengthOf = (part: Element, prose: Prose): number =>
  prose.of.get(part)?.withLinks ?? textLength(textOf(part))

/** A page of which at least this share is kept is measured once. */
const minKept = 0.4
/** At most this many rules are overruled, for nested boxes. */
const maxOverruled = 4

/** Turn what the generator only styles as headings into headings, and set marks apart. */
function markTitles(body: Element, { title, headings, apart }: Profile): void {
  const forms = [title, headings, apart].map((rules = []) => matchesRules(compileRules(rules)))
  let hasTitle = false
  for (const element of below(body)) {
    const form = forms.findIndex((matches) => matches(element))
    if (form === 0 && !hasTitle) element.tagName = 'h1'
    else if (form === 1) element.tagName = 'h2'
    else if (form === 2) element.children.unshift(textNode(' '))
    hasTitle ||= form === 0
  }
}

/** Without elements inside others of the list. */
function outermost(elements: readonly Element[]): Element[] {
  const inside = new Set(elements.flatMap((element) => [...below(element)]))
  return elements.filter((element) => !inside.has(element))
}

function describe(element: Element): string {
  const id = stringProperty(element, 'id')
  const classes = classesOf(element).map((name) => `.${name}`)
  return `${element.tagName}${id ? `#${id}` : ''}${classes.join('')}`.slice(0, 120)
}
