/** A value as it is said in an error: in quotes, and not longer than it helps. */
export function shown(value: unknown, longest = 100): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length <= longest ? text : `${text.slice(0, longest)}… (${text.length} characters)`
}
