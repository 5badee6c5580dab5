import { basename } from 'node:path'
import { cleanHtml, cleanMarkdown } from '@pith-mcp/cleaner'
import type { Format } from './format.ts'
import { markdownLinks, maxInlineMarkdown } from './markdown.ts'

/** Text that begins with a Markdown title, or has a block of code. */
const isMarkdown = /^\s*#{1,6} \S|\n```\w*\n/

/** reStructuredText, text that is Markdown in all but its name, and any other text. */
export const plainText: Format = {
  name: 'text',
  names: /\.(?:rst|txt)$/i,
  maxInlineLength: maxInlineMarkdown,
  read(text, options) {
    if (isMarkdown.test(text)) return cleanMarkdown(text, options)
    const markdown = textToMarkdown(text)
    if (/^#|^~{6}/m.test(markdown)) return cleanMarkdown(markdown, options)
    const name = basename(options.url?.replace(/[?#].*$/s, '') ?? '')
    // The cleaner finds the sections of preformatted text.
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return cleanHtml(`<title>${name}</title><pre>\n${escaped}</pre>`, options)
  },
  links: markdownLinks,
}

/** A title above a line of one sign, or between two. */
const title =
  /(?<![^\n]\n)^(?<over>(?:([^\w\s])\2{2,}\n)?) ?(?<title>\S.*)\n(?<under>[^\w\s])\k<under>{2,}$/
/** Code after the line that introduces it; other directives contain text. */
const literal =
  /^(?<indent> *)(?! )(?<line>(?!\.\. ).*::|\.\. (?:code|code-block|sourcecode):: *(?<language>\S*))\n(?<code>\n(?:\n|\k<indent> +\S.*\n)+)/
/** Code with its role, what looks like a tag, and an indent that Markdown takes for code. */
const inline = /(?::[\w:+.-]{1,60}:)?(?<ticks>`+)[^`]*\k<ticks>|<(?=[a-z/!?])|^ {4,}/
const markup = new RegExp(`${title.source}|${literal.source}|${inline.source}`, 'gim')

/**
 * Titles and code of reStructuredText as Markdown; other markup stays as it is written. Levels of
 * titles follow the order in which their signs first appear.
 */
function textToMarkdown(text: string): string {
  const styles: string[] = []
  const lines = text.split('\n').map((line) => line.trimEnd().replaceAll('\t', '    '))
  return `${lines.join('\n')}\n`.replace(markup, (match, ...rest) => {
    const { over, under, title, line, language, code, ticks } = rest.at(-1)
    if (title !== undefined) {
      const style = `${over.slice(0, 1)}${under}`
      const level = styles.indexOf(style) + 1 || styles.push(style)
      return `${'#'.repeat(Math.min(level, 6))} ${title.replaceAll('<', '\\<')}\n`
    }
    if (code !== undefined) {
      const indent = /^ +/m.exec(code)?.[0].length ?? 0
      const block = code.replace(new RegExp(`^ {0,${indent}}`, 'gm'), '').replace(/^\n+|\n+$/g, '')
      return `${language === undefined ? line : ''}\n\n~~~~~~${language ?? ''}\n${block}\n~~~~~~\n\n`
    }
    return ticks ? match.replace(/^:[^`]+/, '') : match === '<' ? '\\<' : '   '
  })
}
