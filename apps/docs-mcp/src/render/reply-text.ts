/**
 * Put text of a page between tags that it does not contain, so that no line of the page can be
 * taken for a line of the reply. If the text contains the tag, the tag gets a number; the text is
 * unchanged.
 */
export function fenced(text: string): string {
  let mark = 'page_text'
  for (let number = 2; text.includes(`</${mark}>`); number++) mark = `page_text_${number}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** The reply without the tags, for people. */
export function unfenced(reply: string): string {
  return reply.replace(
    /^<(page_text(?:_\d+)?)>\n([\s\S]*?)\n<\/\1>$/gm,
    (_, _mark, text: string) => text,
  )
}
