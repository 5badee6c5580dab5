import { lineFor } from '../text-of.ts'
import { type Level, type LogFormat, type Logger, levels } from './logger.ts'

/** Logs lines of text. Journal lines are not logged: they are in the journal's files. */
const toStderr = (line: string): void => void process.stderr.write(`${line}\n`)

export function createTextLogger(
  minLevel: Level = 'info',
  write: (line: string) => void = toStderr,
): Logger {
  return {
    log(text, level = 'info') {
      if (levels.indexOf(level) >= levels.indexOf(minLevel))
        write(`aggregator-mcp: ${lineFor(text)}`)
    },
    record() {},
    redactWith() {},
  }
}

/** Loads pino only if the format is JSON. `write` gets each line; default: stderr. */
export async function openLogger(
  format: LogFormat,
  minLevel: Level,
  write?: (line: string) => void,
): Promise<Logger> {
  if (format === 'text') return createTextLogger(minLevel, write)
  return (await import('./json-logger.ts')).createJsonLogger(minLevel, write)
}
