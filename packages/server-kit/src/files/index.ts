export { isTable, sameData, type Table, valueAt } from '#base/table'
export { editConfigText, readConfigText } from './config-text.ts'
export { editJsoncPath } from './edit-jsonc.ts'
export {
  editJsoncValue,
  replaceTexts,
  type TextNode,
  textsIn,
  type ValueEdit,
} from './edit-jsonc-value.ts'
export { objectAt, readJsonc, replaceComments } from './read-jsonc.ts'
export { FileRefused, readText } from './read-text.ts'
export { bytesOf, FileChanged, replaceUnchanged } from './replace-unchanged.ts'
export { serversKeyOf } from './servers-key.ts'
export type { Change } from './splice.ts'
