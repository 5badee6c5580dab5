import { isWord } from '../tree/short-text.ts'
/**
 * Escape only text that Markdown would parse as markup: backticks, paired asterisks, underscores
 * around several words, a backslash before punctuation, and text that looks like an HTML tag; not
 * within `\\(…\\)` and `\\[…\\]`. Other text is unchanged, notably names such as `__init__`, so
 * that searches find it. `isMarked`: the text is inside emphasis, where any asterisk is a
 * delimiter.
 */
export function escapeText(text: string, isMarked = false): string {
  if (!/[`*_\\<]/.test(text)) return text
  return text
    .split(formula)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(part, isMarked)))
    .join('')
}

/** TeX that a script would render in the browser. */
const formula = /(\\\([^\n]{0,500}?\\\)|\\\[[^\n]{0,500}?\\\])/

function escapeProse(text: string, isMarked: boolean): string {
  const escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/<(?=[a-z/!?]|$)(?![a-z][a-z\d-]*[_|(),[\]{}][^\s@]*(?:\s|$))/gi, '\\<')
  const stars = isMarked ? escaped.replace(/\*/g, '\\*') : escapePaired(escaped, star)
  return escapePaired(stars, underscore)
}

/** A pair of delimiter runs. */
interface Pair {
  run: RegExp
  opens: (before: string, after: string) => boolean
  closes: (before: string, after: string) => boolean
  /** True if the text between the runs would be emphasised. */
  marks: (between: string) => boolean
}

const star: Pair = {
  run: /\*+/g,
  opens: (_before, after) => /\S/.test(after),
  closes: (before) => /\S/.test(before),
  marks: () => true,
}

/** An underscore inside a word is no delimiter, and those around one word belong to a name. */
const underscore: Pair = {
  run: /_+/g,
  opens: (before, after) => /\S/.test(after) && !isWord.test(before),
  closes: (before, after) => /\S/.test(before) && !isWord.test(after),
  marks: (between) => /\s/.test(between),
}

/** Escape the runs that open a pair which a later run closes. */
function escapePaired(text: string, pair: Pair): string {
  const runs = [...text.matchAll(pair.run)].filter(({ index }) => text[index - 1] !== '\\')
  if (runs.length < 2) return text
  const around = runs.map(({ 0: run, index }) => ({
    start: index,
    end: index + run.length,
    before: text[index - 1] ?? '',
    after: text[index + run.length] ?? '',
  }))
  const lastCloser = around.findLastIndex(({ before, after }) => pair.closes(before, after))
  const open = around.slice(0, Math.max(0, lastCloser))
  let escaped = ''
  let done = 0
  for (const [number, { start, end, before, after }] of open.entries()) {
    const next = around[number + 1]?.start ?? end
    if (!pair.opens(before, after) || !pair.marks(text.slice(end, next))) continue
    escaped += text.slice(done, start) + `\\${text[start]}`.repeat(end - start)
    done = end
  }
  return escaped + text.slice(done)
}

/** Escape brackets that would end the text of a link. */
export function escapeBrackets(text: string): string {
  let depth = 0
  for (const [bracket] of text.matchAll(/(?<!\\)[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1
    if (depth < 0) break
  }
  return depth === 0 ? text : text.replace(/(?<!\\)[[\]]/g, '\\$&')
}
