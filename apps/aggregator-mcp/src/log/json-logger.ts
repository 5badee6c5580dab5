import type { JournalLine } from '@pith-mcp/aggregator'
import { destination, pino, stdTimeFunctions } from 'pino'
import { lineFor } from '../text-of.ts'
import type { Level, Logger } from './logger.ts'

/** Names of fields whose values are always redacted. */
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

const redacted = '[redacted]'

/** Logs one line of JSON per event. Writes are synchronous, so a crash loses none. */
export function createJsonLogger(
  minLevel: Level,
  to: number | ((line: string) => void) = 2,
): Logger {
  const stream =
    typeof to === 'number' ? fileOf(to) : { write: (line: string) => to(line.trimEnd()) }
  let redact = (text: string): string => text
  const safely = (text: string): string => lineFor(withoutCodes(redact(text)))
  const logger = pino(
    {
      level: minLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: redacted },
    },
    stream,
  )
  return {
    log: (text, level = 'info', about = {}) => logger[level](mapped(about, safely), safely(text)),
    record(line) {
      const level = line.kind === 'event' || line.kind === 'admin' ? 'info' : 'debug'
      if (logger.isLevelEnabled(level))
        logger[level](mapped(fieldsOf(line), safely), safely(describeLine(line)))
    },
    redactWith(next) {
      redact = next
    },
  }
}

function fileOf(descriptor: number) {
  const stream = destination({ dest: descriptor, sync: true })
  // The parent process may have closed stderr.
  stream.on('error', () => {})
  return stream
}

/** A link signs its reader in to the console, so its code must not reach a log store. */
const withoutCodes = (text: string): string => text.replace(/#code=[\w.-]+/g, `#code=${redacted}`)

function fieldsOf(line: JournalLine): Record<string, string | number | undefined> {
  const { kind, module, account, tool, via, caller, profile, session, outcome, ms } = line
  const { reason, count, change, request } = line
  const at = line.time
  const about = { server: module, account, tool, via, caller, profile, session, request }
  return { kind, ...about, outcome, ms, reason, count, change, at }
}

function describeLine({ kind, module, tool, outcome, message }: JournalLine): string {
  if (kind === 'event' && message !== undefined) return message
  const what = [module, tool].filter(Boolean).join('.') || kind
  return message === undefined ? `${what}: ${outcome}` : `${what}: ${outcome}: ${message}`
}

function mapped(fields: object, change: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === undefined) return []
      return [[name, typeof value === 'string' ? change(value) : value]]
    }),
  )
}
