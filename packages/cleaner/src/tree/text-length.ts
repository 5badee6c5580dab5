/** Characters of a text that are not blank, counted without making new strings. */
export function textLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && code !== 160) length++
  }
  return length
}
