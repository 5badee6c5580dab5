/** Levels of a message; deeper ones overflow the stack of what reads or writes them. */
export const maxMessageDepth = 1_000

/** True if a value is nested more than `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1))
}
