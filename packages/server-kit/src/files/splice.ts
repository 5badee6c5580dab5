/** Replaces the range by `text`. */
export interface Splice {
  from: number
  to: number
  text: string
}

/** Applies splices, which must not overlap. */
export const splice = (text: string, splices: readonly Splice[]): string =>
  [...splices]
    .sort((a, b) => b.from - a.from || b.to - a.to)
    .reduce((so, { from, to, text: put }) => so.slice(0, from) + put + so.slice(to), text)

/** Members to remove from an object, and members to add. */
export interface Change {
  drop: ReadonlySet<string>
  add: Readonly<Record<string, unknown>>
}

/** The expected data after a change; the same object if nothing changes. */
export function changed(
  members: Readonly<Record<string, unknown>>,
  { drop, add }: Change,
): Record<string, unknown> {
  const stay = Object.entries(members).filter(([name]) => !drop.has(name))
  return Object.fromEntries([...stay, ...Object.entries(add)])
}

/** Clients may write a byte order mark, which parsers reject. */
export function stripBom(text: string): { bom: string; body: string } {
  const bom = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  return { bom, body: text.slice(bom.length) }
}
