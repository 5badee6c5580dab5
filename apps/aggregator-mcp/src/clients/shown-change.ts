/**
 * What was added to a text, as lines that begin with "+ ", with a line of context on either side. The
 * rest of the file may hold secrets: of it, only keys and brackets are shown.
 */
export function shownChange(before: string, after: string): string[] {
  const max = Math.min(before.length, after.length)
  let start = 0
  while (start < max && before[start] === after[start]) start++
  let end = 0
  while (end < max - start && before.at(-1 - end) === after.at(-1 - end)) end++
  // Whole lines, if the text before and at the end of the addition are the same.
  const line = after.lastIndexOf('\n', start - 1) + 1
  const until = after.length - end
  if (after.slice(line, start) === after.slice(until - (start - line), until)) {
    end += start - line
    start = line
  }
  const above = after.slice(0, start).split(/\r?\n/)
  const below = after.slice(after.length - end).split(/\r?\n/)
  const added = after.slice(start, after.length - end)
  const rest = added.endsWith('\n') ? '' : masked(below.shift() ?? '')
  const changed = masked(above.pop() ?? '') + added + rest
  return [
    ...above.slice(-1).map((line) => `  ${masked(line)}`),
    ...changed
      .trimEnd()
      .split(/\r?\n/)
      .map((line) => `+ ${line}`),
    ...below
      .slice(0, 1)
      .filter(Boolean)
      .map((line) => `  ${masked(line)}`),
  ]
}

/** A key with its indentation, in JSON, TOML or YAML. */
const key = /^\s*(?:"[^"\\]{1,60}"\s*:|[\w-]{1,60}(?: =|:))\s*/
const brackets = /^(?:[\s{}[\],]*|\[[\w.-]{1,80}\])$/

function masked(line: string): string {
  const [name = ''] = key.exec(line) ?? []
  return brackets.test(line.slice(name.length)) ? line : `${name}…`
}
