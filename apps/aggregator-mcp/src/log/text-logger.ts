import { lineFor } from '../text-of.ts'
import { type Level, type LogFormat, type Logger, levels } from './logger.ts'

/** Logs lines of text. Journal lines are not logged: they are in the journal's files. */
export function createTextLogger(minLevel: Level = 'info'): Logger {
  return {
    log(text, level = 'info') {
      if (levels.indexOf(level) >= levels.indexOf(minLevel))
        process.stderr.write(`aggregator-mcp: ${lineFor(text)}\n`)
    },
    record() {},
    redactWith() {},
  }
}

/** Loads pino only if the format is JSON. */
export async function openLogger(format: LogFormat, minLevel: Level): Promise<Logger> {
  if (format === 'text') return createTextLogger(minLevel)
  return (await import('./json-logger.ts')).createJsonLogger(minLevel)
}
