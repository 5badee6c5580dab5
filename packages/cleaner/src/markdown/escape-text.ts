/**
 * Escape only what Markdown would read as markup: backticks, paired asterisks, a backslash
 * before punctuation, and what looks like an HTML tag. Everything else stays as it is, names
 * such as `__init__` above all, so that a search for the words of the page finds them.
 */
export function escapeText(text: string): string {
  if (!/[`*\\<]/.test(text)) return text
  return text
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/(?<!\*)\*+(?!\*)(?=[^\s*](?:[^*]*[^\s*])?\*)/g, (run) => '\\*'.repeat(run.length))
    .replace(/<(?=[a-z/!?]|$)/gi, '\\<')
}
