/** Code between a fence that is longer than any of its own backticks; empty without code. */
export function fenced(code: string, language: string): string {
  if (code.trim() === '') return ''
  let longest = 2
  for (const [ticks] of code.matchAll(/`{3,}/g)) longest = Math.max(longest, ticks.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${code.replace(/\n$/, '')}\n${fence}`
}
