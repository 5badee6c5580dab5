export type CallArguments = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** A call in the notation of the replies; undefined and false arguments are left out. */
export function callText(tool: string, args: CallArguments): string {
  const present = Object.entries(args).filter(([, value]) => value !== undefined && value !== false)
  return `${tool}(${present.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(', ')})`
}

/** A title for a line of a reply, without brackets, which mark the notes of a reply. */
export function shortTitle(title: string): string {
  const plain = title.replace(/\s+/g, ' ').replaceAll('[', '(').replaceAll(']', ')')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** `1 page`, `2 pages`. */
export const amount = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`
