import type { Code } from '@pith-mcp/code'
import { readThresholds, type Settings } from './settings.ts'

/** The library with what the settings say; loaded only when it is needed. */
export async function openCode(settings: Settings, roots: readonly string[]): Promise<Code> {
  const { createCode } = await import('@pith-mcp/code')
  const wholeUpTo = readThresholds(settings.pageOver)
  return createCode({
    roots,
    pageSize: settings.pageSize,
    ...(wholeUpTo && { wholeUpTo }),
    maxParseBytes: settings.maxParseMb * 1e6,
    parseTimeoutMs: settings.parseTimeout * 1000,
    searchWaitMs: settings.searchWait * 1000,
  })
}
