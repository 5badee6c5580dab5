import type { SourceIndexes } from '../indexer/source-indexes.ts'

/** Indexed pages whose URL or title contains a text. */
export async function pagesLike(
  indexes: SourceIndexes,
  text: string,
  limit = 20,
): Promise<{ url: string; title: string }[]> {
  const opened = await indexes.open()
  const lists = await Promise.all(opened.map(({ index }) => index.pagesLike(text, limit)))
  return lists.flat().slice(0, limit)
}
