import { createHash } from 'node:crypto'
import type { Section } from '@pith-mcp/cleaner'
import type { Note, PageStore } from '../page/cache/page-store.ts'
import type { ReadPage } from '../page/read-page.ts'

/** Changes of a page since its sections were last read. */
export interface Changes {
  sections: ReadonlyMap<string, 'changed' | 'new'>
  /** Ids of sections that no longer exist. */
  removed: string[]
}

/**
 * Compare a page with the stored hashes of its sections. On the first call all sections count as
 * read; later a section is marked until it is read again.
 */
export async function changesOf({ key, page }: ReadPage, store: PageStore): Promise<Changes> {
  const now = hashesOf(page.sections)
  const seen = await store.note(key)
  if (!seen) {
    await store.setNote(key, now)
    return { sections: new Map(), removed: [] }
  }
  const sections = new Map<string, 'changed' | 'new'>()
  for (const [id, hash] of Object.entries(now))
    if (seen[id] !== hash) sections.set(id, seen[id] === undefined ? 'new' : 'changed')
  const removed = Object.keys(seen).filter((id) => now[id] === undefined)
  // Removed sections are reported once.
  if (removed.length > 0) {
    const left = Object.entries(seen).filter(([id]) => now[id] !== undefined)
    await store.setNote(key, Object.fromEntries(left))
  }
  return { sections, removed }
}

/** Record that sections were read; on the first read, record the whole page. */
export async function recordRead(
  { key, page }: ReadPage,
  sections: readonly Section[],
  store: PageStore,
): Promise<void> {
  const seen = await store.note(key)
  const now = hashesOf(seen ? page.sections.filter((one) => sections.includes(one)) : page.sections)
  const isKnown = seen && Object.entries(now).every(([id, hash]) => seen[id] === hash)
  if (!isKnown) await store.setNote(key, { ...seen, ...now })
}

function hashesOf(sections: readonly Section[]): Note {
  const seen: Note = {}
  for (const { id, title, blocks } of sections) {
    const hash = createHash('sha256').update(title)
    for (const { markdown } of blocks) hash.update('\n').update(markdown)
    seen[id] = hash.digest('base64url').slice(0, 11)
  }
  return seen
}
