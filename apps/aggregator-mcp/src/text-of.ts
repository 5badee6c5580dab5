/** The texts of a result of a tool. */
export function textOf(result: Record<string, unknown>): string {
  const content = Array.isArray(result['content']) ? result['content'] : []
  return content
    .map((block: { type?: unknown; text?: unknown }) =>
      typeof block.text === 'string' ? block.text : JSON.stringify(block),
    )
    .join('\n')
}
