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
  const note = await store.note(key)
  if (!note) {
    await store.setNote(key, now)
    return { sections: new Map(), removed: [] }
  }
  const sections = new Map<string, 'changed' | 'new'>()
  for (const [id, hash] of Object.entries(now))
    if (note[id] !== hash) sections.set(id, note[id] === undefined ? 'new' : 'changed')
  const removed = Object.keys(note).filter((id) => now[id] === undefined)
  // Removed sections are reported once.
  if (removed.length > 0) {
    const entries = Object.entries(note).filter(([id]) => now[id] !== undefined)
    await store.setNote(key, Object.fromEntries(entries))
  }
  return { sections, removed }
}

/** Record that sections were read; on the first read, record the whole page. */
export async function recordRead(
  { key, page }: ReadPage,
  read: readonly Section[],
  store: PageStore,
): Promise<void> {
  const note = await store.note(key)
  const now = hashesOf(note ? page.sections.filter((part) => read.includes(part)) : page.sections)
  const isKnown = note && Object.entries(now).every(([id, hash]) => note[id] === hash)
  if (!isKnown) await store.setNote(key, { ...note, ...now })
}

function hashesOf(sections: readonly Section[]): Note {
  const hashes: Note = {}
  for (const { id, title, blocks } of sections) {
    const hash = createHash('sha256').update(title)
    for (const { markdown } of blocks) hash.update('\n').update(markdown)
    hashes[id] = hash.digest('base64url').slice(0, 11)
  }
  return hashes
}
