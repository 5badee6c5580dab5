export { type PithCleanOptions, pithClean } from '../pith-clean.ts'
export { type PithRemarkOptions, pithRemark } from './pith-remark.ts'
