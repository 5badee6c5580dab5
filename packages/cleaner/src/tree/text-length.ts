/** Number of characters that are not white space, counted without new strings. */
export function textLength(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code > 32 && code !== 160) length++
  }
  return length
}
