/**
 * Take out of Markdown source what belongs to the site that renders it: imports, component tags
 * and comments of MDX, the lines of directives. Code fences stay as they are.
 */
export function prepareMarkdown(source: string): string {
  let fence = ''
  return source
    .replace(/^\ufeff/, '')
    .split(/\r\n?|\n/)
    .map((line) => {
      const [, marks = ''] = /^[ \t>]*(`{3,}|~{3,})/.exec(line) ?? []
      if (fence !== '') {
        if (marks.startsWith(fence) && /^[ \t>]*[`~]+[ \t]*$/.test(line)) fence = ''
        return line
      }
      if (marks !== '') {
        fence = marks
        return line
      }
      return prepareLine(line)
    })
    .join('\n')
}

const siteLines: readonly RegExp[] = [
  /^import\s.+\sfrom\s+['"].+['"];?\s*$/,
  /^import\s+['"].+['"];?\s*$/,
  /^export\s+(?:const|default|function)\b.*$/,
  /^\s*<\/?[A-Z][\w.]*(?:\s[^<>]*)?\/?>\s*$/,
  /^\s*\{\/\*.*\*\/\}\s*$/,
  /^\s*:{3,}\s*$/,
]

function prepareLine(line: string): string {
  if (siteLines.some((pattern) => pattern.test(line))) return ''
  // `:::tip Title`, `!!! note "Title"`: what opens a box becomes its label.
  const [, kind, title] =
    /^\s*(?::{3,}|!!!|\?\?\?\+?)\s*([a-z]+)\s*(?:[["]?(.*?)["\]]?)?\s*$/.exec(line) ?? []
  return kind ? `\n**${title || kind}:**\n` : line
}
