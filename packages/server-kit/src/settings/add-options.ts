import { defineSettings, type SettingsTable } from './define-settings.ts'
import type { SettingsOf } from './setting.ts'

const lines = {
  name: { type: 'string', value: 'name', help: 'add: name of the server in the client' },
  user: { type: 'boolean', help: 'add: for all folders instead of this one' },
  force: { type: 'boolean', help: 'add: replace a server of the same name' },
  print: { type: 'boolean', help: 'add: print the change without writing it' },
} as const

/** Options of the command `add`, which writes the server into the configuration of a client. */
export const addOptions: SettingsTable<typeof lines> = defineSettings(lines)

/** The values of {@link addOptions}. */
export type AddOptions = SettingsOf<typeof lines>
