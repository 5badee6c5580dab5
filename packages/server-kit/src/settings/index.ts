export { cacheFolderOf, cacheType } from './cache-folder.ts'
export { helpText, unknownCommand } from './command-help.ts'
export { readCommandLine } from './command-line.ts'
export { defineSettings, type Line, type SettingsTable } from './define-settings.ts'
export { flagsToAdd, flagText, usageLines } from './describe-settings.ts'
export { type AddOptions, addOptions, httpLines, tlsFilesOf } from './http-lines.ts'
export {
  type Environment,
  nonEmpty,
  readArguments,
  readSettings,
  secretFiles,
  UsageError,
} from './read-settings.ts'
export { listOf, networks, onOff, parseJson } from './types.ts'
