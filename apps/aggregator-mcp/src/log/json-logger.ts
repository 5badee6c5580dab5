import type { JournalLine } from '@pith-mcp/aggregator'
import { destination, pino, stdTimeFunctions } from 'pino'
import type { Level, Logger } from './logger.ts'

/** Fields that must not be there, if they ever are. */
const secretNames = [
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'password',
  'authorization',
  'cookie',
  'apiKey',
  'api_key',
]

const mark = '[redacted]'

/** A line of JSON for each event, written before anything else is done, so that none is lost. */
export function createJsonLogger(least: Level, descriptor = 2): Logger {
  const stream = destination({ dest: descriptor, sync: true })
  // Who started us may read no errors.
  stream.on('error', () => {})
  let hide = (text: string): string => text
  const safely = (text: string): string => withoutCodes(hide(text))
  const logger = pino(
    {
      level: least,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: mark },
    },
    stream,
  )
  return {
    log: (text, level = 'info', about = {}) => logger[level](mapped(about, safely), safely(text)),
    note(line) {
      const level = line.kind === 'event' ? 'info' : 'debug'
      if (logger.isLevelEnabled(level))
        logger[level](mapped(fieldsOf(line), safely), safely(sayLine(line)))
    },
    hideBy(given) {
      hide = given
    },
  }
}

/** A link that opens the console is for whoever sits here, not for whoever reads logs. */
const withoutCodes = (text: string): string => text.replace(/#code=[\w.-]+/g, `#code=${mark}`)

function fieldsOf(line: JournalLine): Record<string, string | number | undefined> {
  const { kind, module, account, tool, via, caller, profile, session, outcome, ms } = line
  const { reason, count } = line
  const at = line.time
  const about = { server: module, account, tool, via, caller, profile, session }
  return { kind, ...about, outcome, ms, reason, count, at }
}

function sayLine({ kind, module, tool, outcome, said }: JournalLine): string {
  if (kind === 'event' && said !== undefined) return said
  const what = [module, tool].filter(Boolean).join('.') || kind
  return said === undefined ? `${what}: ${outcome}` : `${what}: ${outcome}: ${said}`
}

function mapped(fields: object, change: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, typeof value === 'string' ? change(value) : value]]
    }),
  )
}
