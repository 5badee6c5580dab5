import type { Docs } from '@pith-mcp/docs'
import { openDocs } from '../open-docs.ts'
import type { Settings } from '../settings.ts'

/** The final text, and whether everything succeeded. */
export interface Outcome {
  text: string
  isOk: boolean
}

/** Open one source with few pages and without a cache, to see what it is. A failure is an outcome. */
export async function openSource(
  name: string,
  sources: readonly string[],
  settings: Settings,
  look: (docs: Docs) => Promise<Outcome>,
): Promise<Outcome> {
  const looking = { ...settings, maxPages: 20, cache: false as const, databaseUrl: undefined }
  let docs: Docs | undefined
  try {
    docs = await openDocs(looking, sources, () => {}, { searchWaitMs: settings.timeout * 2_000 })
    return await look(docs)
  } catch (error) {
    const remedy = error instanceof Error && 'remedy' in error ? ` ${error.remedy}` : ''
    const text = `${name}: ${error instanceof Error ? error.message : error}${remedy}`
    return { text, isOk: false }
  } finally {
    await docs?.close()
  }
}
