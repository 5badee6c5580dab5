/** A request: its name, and what follows. */
export interface Request {
  name: string
  args: string[]
  rest: string
}

export function requestOf(line: string): Request {
  const [, name = '', rest = ''] = /^[.']\s*(\S{0,40})\s*(.*)$/s.exec(line) ?? []
  const words = rest.match(/"(?:[^"]|"")*"?|(?:\\.|[^\s\\])+/gs) ?? []
  const args = words.map((word) =>
    word.startsWith('"') ? word.replace(/^"|"$/g, '').replaceAll('""', '"') : word,
  )
  return { name, args, rest: rest.trim() }
}
