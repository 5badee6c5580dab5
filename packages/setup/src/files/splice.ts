/** What stands from one offset to another becomes `text`. */
export interface Splice {
  from: number
  to: number
  text: string
}

/** Splices must not overlap. */
export const splice = (text: string, splices: readonly Splice[]): string =>
  [...splices]
    .sort((one, other) => other.from - one.from || other.to - one.to)
    .reduce((so, { from, to, text: put }) => so.slice(0, from) + put + so.slice(to), text)

/** What is taken out of an object, and what comes in. */
export interface Change {
  drop: ReadonlySet<string>
  add: Readonly<Record<string, unknown>>
}

/** The data that the file must say afterwards; the same object if it is one already. */
export function changed(
  members: Readonly<Record<string, unknown>>,
  { drop, add }: Change,
): Record<string, unknown> {
  const stay = Object.entries(members).filter(([name]) => !drop.has(name))
  return Object.fromEntries([...stay, ...Object.entries(add)])
}

/** Clients may mark the beginning of a file; parsers do not like it. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return { mark, body: text.slice(mark.length) }
}
