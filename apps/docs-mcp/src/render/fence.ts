/**
 * Text of a page between marks that it does not contain itself, so that nothing in it can pass for a
 * line of ours. The text stays as it is: where it has the mark, the mark gets a number.
 */
export function fenced(text: string): string {
  let mark = 'page_text'
  for (let number = 2; text.includes(`</${mark}>`); number++) mark = `page_text_${number}`
  return `<${mark}>\n${text}\n</${mark}>`
}

/** The reply without the marks, for a reader who sees where a page begins. */
export function unfenced(reply: string): string {
  return reply.replace(
    /^<(page_text(?:_\d+)?)>\n([\s\S]*?)\n<\/\1>$/gm,
    (_, _mark, text: string) => text,
  )
}
