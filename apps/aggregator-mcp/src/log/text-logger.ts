import { type Level, type Logger, levels } from './logger.ts'

/** Logs lines of text. Journal lines are not logged: they are in the journal's files. */
export function createTextLogger(minLevel: Level = 'info'): Logger {
  return {
    log(text, level = 'info') {
      if (levels.indexOf(level) >= levels.indexOf(minLevel))
        process.stderr.write(`aggregator-mcp: ${text}\n`)
    },
    record() {},
    redactWith() {},
  }
}
