import type { Root } from 'hast'
import { type PluggableList, type Plugin, unified } from 'unified'
import { rehypeAnchors } from './anchors/rehype-anchors.ts'
import { rehypeStripNoise, type StripNoiseOptions } from './noise/rehype-strip-noise.ts'
import { type DepthOptions, rehypeLimitDepth } from './parse/rehype-limit-depth.ts'
import { rehypeProfile } from './profile/rehype-profile.ts'
import { type MainRegionOptions, rehypeMainRegion } from './region/rehype-main-region.ts'
import { rehypeTabs } from './tabs/rehype-tabs.ts'
import { createTimeCheck } from './time-check.ts'

/** Options of {@link pithClean}. */
export interface PithCleanOptions extends DepthOptions, MainRegionOptions, StripNoiseOptions {
  /** Milliseconds of processor time a page; exceeding them is a `CleanError`. Default 30,000. */
  maxTime?: number
}

/**
 * Unified plugin: the whole hast of a page, from any parser, to that of its content without noise, by
 * `rehypeLimitDepth`, `rehypeProfile`, `rehypeMainRegion`, `rehypeAnchors`, `rehypeTabs` and
 * `rehypeStripNoise`. What was removed is in the file's `data.removals` with `debug`.
 *
 * @throws {CleanError} `bad_selector` for an invalid `content` or `remove`; `timed_out` past `maxTime`.
 */
export const pithClean: Plugin<[PithCleanOptions?], Root, Root> =
  (options = {}) =>
  (tree, file) => {
    const steps = cleaningSteps(options, createTimeCheck(options.maxTime))
    return unified().use(rehypeLimitDepth, options).use(steps).runSync(tree, file) as Root
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
    [rehypeMainRegion, options],
    bounded(),
    rehypeAnchors,
    rehypeTabs,
    [rehypeStripNoise, options],
    bounded(),
  ]
}
