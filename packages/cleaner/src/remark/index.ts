export { type PithCleanOptions, pithClean } from '../pith-clean.ts'
export { pithRemark } from './pith-remark.ts'
export type { PlainOptions as PithRemarkOptions } from './rehype-plain.ts'
