import { z } from 'zod'
import { defineSettings, type SettingsTable } from './define-settings.ts'
import { onOff } from './types.ts'

/** Options of the command `add`, which writes the server into the configuration of a client. */
export interface AddOptions {
  name: string | undefined
  user: boolean
  force: boolean
  print: boolean
}

// biome-ignore format: a table has one line for each option.
export const addOptions: SettingsTable<AddOptions> = defineSettings({
  name: { type: z.string().optional(), value: '<name>', help: 'add: name of the server in the client' },
  user: { type: onOff(false), help: 'add: for all folders instead of this one' },
  force: { type: onOff(false), help: 'add: replace a server of the same name' },
  print: { type: onOff(false), help: 'add: print the change without writing it' },
})
