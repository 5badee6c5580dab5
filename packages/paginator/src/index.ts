export type { Budget, Unit } from './budget.ts'
export { characterBoundary } from './character-boundary.ts'
export { type Content, createContent, type Piece } from './content.ts'
export { describePage, type HeaderOptions, type PageInfo, pageHeader } from './describe-page.ts'
export { estimateTokens, scaleTokens, type TokenScale } from './estimate-tokens.ts'
export { lastAtMost } from './last-at-most.ts'
export { type ContentPage, pageAt } from './page-at.ts'
export {
  type DecodeOptions,
  decodePageToken,
  encodePageToken,
  type PagePosition,
  type PageTokenResult,
} from './page-token.ts'
export { paginate } from './paginate.ts'
export { type LengthLimits, resolveLength } from './resolve-length.ts'
