import type { Root } from 'hast'
import { type PluggableList, type Plugin, unified } from 'unified'
import { rehypeAnchors, rehypeListedTitles } from './anchors/rehype-anchors.ts'
import { rehypeStripNoise, type StripNoiseOptions } from './noise/rehype-strip-noise.ts'
import { type DepthOptions, rehypeLimitDepth } from './parse/rehype-limit-depth.ts'
import { rehypeProfile } from './profile/rehype-profile.ts'
import { type MainRegionOptions, rehypeMainRegion } from './region/rehype-main-region.ts'
import { openPlaces, shellTree } from './shell/shell-tree.ts'
import { isLabel, maxVisible, mayHideText, textOfTree } from './shell/text-of-page.ts'
import { rehypeTabs } from './tabs/rehype-tabs.ts'
import { createTimeCheck } from './time-check.ts'
import { childOf } from './tree/children.ts'
import { element, isElement } from './tree/element.ts'
import { isTag } from './tree/tags.ts'

/** Options of {@link pithClean}. */
export interface PithCleanOptions extends DepthOptions, MainRegionOptions, StripNoiseOptions {
  /** Milliseconds of processor time a page; exceeding them is a `CleanError`. Default 30,000. */
  maxTime?: number
}

/**
 * Unified plugin: the whole hast of a page, from any parser, to that of its content without noise, by
 * `rehypeLimitDepth`, `rehypeProfile`, `rehypeMainRegion`, `rehypeAnchors`, `rehypeTabs` and
 * `rehypeStripNoise`. A page that shows almost no text is read where it has text for readers without
 * scripts; a message of the file says where, or that it found no text. What was removed is in the file's
 * `data.removals` with `debug`.
 *
 * @throws {CleanError} `bad_selector` for an invalid `content` or `remove`; `timed_out` past `maxTime`.
 */
export const pithClean: Plugin<[PithCleanOptions?], Root, Root> =
  (options = {}) =>
  (tree, file) => {
    const clean = (root: Root): Root => {
      const steps = cleaningSteps(options, createTimeCheck(options.maxTime))
      return unified().use(rehypeLimitDepth, options).use(steps).runSync(root, file) as Root
    }
    const visibleTree = clean(asDocument(tree))
    const visible = textOfTree(visibleTree)
    if (visible.length >= maxVisible) return visibleTree
    const html = String(file)
    if (mayHideText(html, visible)) {
      const shell = shellTree(html, options)
      const places = openPlaces(shell, isLabel(visible))
      const opened = clean(shell)
      if (textOfTree(opened).length > visible.length) {
        const from = places.length > 0 ? places.join(', ') : 'shadow roots'
        file.message(`The text was read from ${from}.`, { ruleId: 'text-from', source: 'pith' })
        return opened
      }
    }
    if (visible === '')
      file.message('The page shows no text.', { ruleId: 'no-text', source: 'pith' })
    return visibleTree
  }

const isOfHead = isTag('base link meta script style title')

/** The children of a fragment as those of a page. */
function asDocument(root: Root): Root {
  if (childOf(root, 'html')) return root
  const [head, body] = [element('head'), element('body')]
  for (const child of root.children)
    if (child.type !== 'doctype')
      (isElement(child) && isOfHead(child) ? head : body).children.push(child)
  return { type: 'root', children: [element('html', [head, body])] }
}

/** The steps between the parser and a compiler, in their order. */
export function cleaningSteps(
  options: MainRegionOptions & StripNoiseOptions,
  checkTime: () => void,
): PluggableList {
  // A separate function for each use, because unified attaches the same function only once.
  const bounded = () => () => () => checkTime()
  return [
    bounded(),
    rehypeProfile,
    rehypeListedTitles,
    [rehypeMainRegion, options],
    bounded(),
    rehypeAnchors,
    rehypeTabs,
    [rehypeStripNoise, options],
    bounded(),
  ]
}
