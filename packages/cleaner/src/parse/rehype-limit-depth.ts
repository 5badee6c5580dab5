import type { Root } from 'hast'
import type { Plugin } from 'unified'
import { limitDepth } from './limit-depth.ts'

/** Depth of elements, as browsers limit it. */
export const defaultMaxDepth = 512

/** Options of {@link rehypeLimitDepth}. */
export interface DepthOptions {
  /** Deeper elements are replaced by their text. Default 512, the depth limit of browsers. */
  maxDepth?: number
}

/** Unified plugin: replace what is deeper than `maxDepth` by its text, so that later steps may recurse. */
export const rehypeLimitDepth: Plugin<[DepthOptions?], Root> =
  ({ maxDepth = defaultMaxDepth } = {}) =>
  (root) =>
    limitDepth(root, maxDepth)
