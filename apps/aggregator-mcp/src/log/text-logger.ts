import { type Level, type Logger, levels } from './logger.ts'

/** Lines for people. The journal has its own file. */
export function createTextLogger(least: Level = 'info'): Logger {
  return {
    log(text, level = 'info') {
      if (levels.indexOf(level) >= levels.indexOf(least))
        process.stderr.write(`aggregator-mcp: ${text}\n`)
    },
    note() {},
    hideBy() {},
  }
}
