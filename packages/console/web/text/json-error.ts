/**
 * A message about invalid JSON. Browsers word their errors differently, so only the position is taken
 * from them.
 */
export function describeJsonError(text: string, error: unknown): string {
  const { message } = error as Error
  const [, line, column] = /line (\d+) column (\d+)/.exec(message) ?? lineOf(text, message)
  return line === undefined
    ? 'This is not valid JSON.'
    : `This is not valid JSON (line ${line}, column ${column}).`
}

function lineOf(text: string, message: string): [string, number?, number?] {
  const [, position] = /position (\d+)/.exec(message) ?? []
  const before = /end of JSON/.test(message) ? text : position && text.slice(0, Number(position))
  if (before === undefined) return ['']
  const lines = before.split('\n')
  return ['', lines.length, (lines.at(-1)?.length ?? 0) + 1]
}
