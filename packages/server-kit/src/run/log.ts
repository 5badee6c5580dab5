/** Writes a line of the program `name` to stderr; stdout is for the protocol and for results. */
export const log = (name: string, text: string): void =>
  void process.stderr.write(`${name}: ${text}\n`)

/** The message without the stack trace, for people who read stderr. */
export function firstLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.split('\n', 1)[0]?.slice(0, 300) ?? ''
}
