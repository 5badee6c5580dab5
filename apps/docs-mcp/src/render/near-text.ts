import { shortTitle } from './short-title.ts'

/** A section near a hit. The title is added if the id does not tell it. */
export function nearText({ id, title }: { id: string; title: string }): string {
  const letters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
  const isTelling = letters(id).includes(letters(title)) || letters(title).includes(letters(id))
  return isTelling || title === '' ? `#${id}` : `#${id} (${shortTitle(title)})`
}
