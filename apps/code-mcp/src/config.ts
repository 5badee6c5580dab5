import {
  defineSettings,
  listOf,
  nonEmpty,
  onOff,
  readCommandLine,
  readSettings,
} from '@pith-mcp/server-kit/settings'
import { z } from 'zod'
import { settings } from './settings.ts'

/** Commands that query files. */
const questions = ['list', 'show', 'find', 'references', 'files'] as const
export type Question = (typeof questions)[number]

export const isQuestion = (command: string): command is Question =>
  questions.some((name) => name === command)

export const commands = [...questions, 'index', 'doctor', 'setup', 'add', 'remove'] as const

const mustBeLine = 'must be a line number from 1'
const line = z.coerce.number({ error: mustBeLine }).int(mustBeLine).min(1, mustBeLine)

/** Options of the commands that query. */
// biome-ignore format: a table has one line for each option.
export const answerOptions = defineSettings({
  roots: { type: listOf(z.string()), flag: 'root', value: '<folder>', help: 'instead of this folder; may be repeated' },
  page: { type: z.string().optional(), value: '<token>', help: 'list, show: continue where the previous reply stopped' },
  line: { type: line.optional(), value: '<n>', help: 'show: begin at this line of the function' },
  path: { type: z.string().optional(), value: '<path>', help: 'find, references: only in this file, folder or glob' },
  kind: { type: z.enum(['calls', 'implementations', 'tests']).optional(), value: '<kind>', help: 'references: only implementations or tests' },
  from: { type: z.coerce.number().optional(), value: '<n>', help: 'references: continue where the previous reply stopped' },
  maxResults: { type: z.coerce.number().optional(), value: '<n>', help: 'find: 1-50 functions (default 20)' },
  remove: { type: onOff(false), help: 'index: remove it' },
  json: { type: onOff(false), help: 'the answer as JSON' },
})

export type Config = ReturnType<typeof parseConfig>

/** Parse a command line, without node and script. @throws {UsageError} */
export function parseConfig(argv: readonly string[], environment = process.env) {
  const syntax = { commands, answers: answerOptions, served: [settings] }
  const { line, flags, isInfo } = readCommandLine(argv, syntax)
  const sources = isInfo ? {} : { flags, environment: nonEmpty(environment) }
  return { ...line, settings: readSettings(settings, sources) }
}
