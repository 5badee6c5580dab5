import { escapeHtml } from '../../parts/escape-html.ts'

export function codeHtml(lines: readonly string[], language: string): string {
  const code = lines.join('\n').replace(/^\n+/, '').trimEnd()
  const name = /^[\w+#.-]{1,40}$/.exec(language)?.[0]
  return code === ''
    ? ''
    : `<pre><code${name ? ` class="language-${name}"` : ''}>${escapeHtml(code)}</code></pre>`
}
