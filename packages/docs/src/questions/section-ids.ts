import type { PageReader } from '../page/page-reader.ts'
import { openPage } from '../section/open-page.ts'

/** Ids of the sections of a page, in document order. */
export async function sectionIds(reader: PageReader, url: string): Promise<string[]> {
  const { page } = await openPage(reader, url)
  return page.sections.filter(({ kind }) => kind !== 'continuation').map(({ id }) => id)
}
