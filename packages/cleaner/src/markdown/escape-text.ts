/**
 * Escape only what Markdown would read as markup: backticks, paired asterisks, a backslash
 * before punctuation, and what looks like an HTML tag; not within `\\(…\\)` and `\\[…\\]`. Everything else stays as it is, names
 * such as `__init__` above all, so that a search for the words of the page finds them.
 */
export function escapeText(text: string): string {
  if (!/[`*\\<]/.test(text)) return text
  return text
    .split(formula)
    .map((part, index) => (index % 2 === 1 ? part : escapeProse(part)))
    .join('')
}

/** TeX that a script would draw in the browser. */
const formula = /(\\\([^\n]{0,500}?\\\)|\\\[[^\n]{0,500}?\\\])/

function escapeProse(text: string): string {
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/(?<!\*)\*+(?!\*)(?=[^\s*](?:[^*]*[^\s*])?\*)/g, (run) => '\\*'.repeat(run.length))
    .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
}
