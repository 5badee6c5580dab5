export { type AddOptions, addOptions } from './add-options.ts'
export {
  defineSettings,
  isOff,
  type Line,
  parseJson,
  type SettingsTable,
} from './define-settings.ts'
export { flagsToAdd, flagText, usageLines } from './describe-settings.ts'
export { type HttpSettings, httpLines } from './http-lines.ts'
export {
  type Environment,
  readArguments,
  readOptions,
  readSettings,
  type SettingSources,
  settingsIn,
} from './read-settings.ts'
export type { Setting, SettingLines, SettingsOf } from './setting.ts'
export { UsageError } from './usage-error.ts'
