export { type AddOptions, addOptions } from './add-options.ts'
export {
  defineSettings,
  type Line,
  type SettingsTable,
} from './define-settings.ts'
export { flagsToAdd, flagText, usageLines } from './describe-settings.ts'
export { type HttpSettings, httpLines } from './http-lines.ts'
export { type Environment, nonEmpty, readArguments, readSettings } from './read-settings.ts'
export { listOf, onOff, parseJson } from './types.ts'
export { UsageError } from './usage-error.ts'
