export { type Content, createContent, type Piece } from './content.ts'
export { estimateTokens } from './estimate-tokens.ts'
export { type ContentPage, pageAt } from './page-at.ts'
export {
  decodePageToken,
  encodePageToken,
  type PagePosition,
  type PageTokenResult,
} from './page-token.ts'
export { paginate } from './paginate.ts'
export { type LengthLimits, resolveLength } from './resolve-length.ts'
