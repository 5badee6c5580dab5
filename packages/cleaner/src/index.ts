export { rehypeAnchors } from './anchors/rehype-anchors.ts'
export { CleanError, type CleanErrorCode } from './clean-error.ts'
export { cleanHtml } from './clean-html.ts'
export { cleanMarkdown } from './clean-markdown.ts'
export type { CleanOptions } from './clean-visible.ts'
export { compilePage, type PageOptions } from './group/compile-page.ts'
export type { FlatNode, FlatRoot } from './markdown/flat-tree.ts'
export { type MarkdownOptions, rehypeMarkdown } from './markdown/rehype-markdown.ts'
export {
  type Removal,
  rehypeStripNoise,
  type StripNoiseOptions,
} from './noise/rehype-strip-noise.ts'
export type { Block, BlockKind, Health, Page, Section } from './page.ts'
export { type ParseOptions, rehypeParse5 } from './parse/rehype-parse5.ts'
export { rehypeProfile } from './profile/rehype-profile.ts'
export { type MainRegionOptions, rehypeMainRegion } from './region/rehype-main-region.ts'
export { type Chunk, type ToMarkdownOptions, toChunks, toMarkdown } from './render/to-markdown.ts'
export { subtreeOf } from './subtree-of.ts'
export { rehypeTabs } from './tabs/rehype-tabs.ts'
