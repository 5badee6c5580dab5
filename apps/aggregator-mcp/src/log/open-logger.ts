import type { Level, LogFormat, Logger } from './logger.ts'
import { createTextLogger } from './text-logger.ts'

/** Loads pino only if the format is JSON. */
export async function openLogger(format: LogFormat, minLevel: Level): Promise<Logger> {
  if (format === 'text') return createTextLogger(minLevel)
  return (await import('./json-logger.ts')).createJsonLogger(minLevel)
}
