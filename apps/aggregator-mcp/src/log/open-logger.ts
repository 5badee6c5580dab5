import type { Level, LogFormat, Logger } from './logger.ts'
import { createTextLogger } from './text-logger.ts'

/** The library for JSON is loaded for JSON only. */
export async function openLogger(format: LogFormat, least: Level): Promise<Logger> {
  if (format === 'text') return createTextLogger(least)
  return (await import('./json-logger.ts')).createJsonLogger(least)
}
