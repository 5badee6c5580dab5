/** Expressions of RFC 6570, of which only the operator matters here. */
const expression = /\{([+#./;?&]?)[^{}]*\}/g

const patterns = new Map<string, RegExp>()
const mostPatterns = 5_000
const longestUri = 8_192

/** Whether a URI can have come of a template. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (uri.length > longestUri) return false
  let pattern = patterns.get(template)
  if (pattern === undefined) {
    pattern = patternOf(template)
    if (patterns.size >= mostPatterns) patterns.clear()
    patterns.set(template, pattern)
  }
  return pattern.test(uri)
}

function patternOf(template: string): RegExp {
  let text = '^'
  let from = 0
  for (const match of template.matchAll(expression)) {
    text += escaped(template.slice(from, match.index))
    text += partOf(match[1] ?? '')
    from = match.index + match[0].length
  }
  return new RegExp(`${text}${escaped(template.slice(from))}$`)
}

/** Parts of a path end at `/`; queries may be absent. */
function partOf(operator: string): string {
  if (operator === '+' || operator === '#') return '.*'
  if (operator === '?' || operator === '&') return '(?:[?&][^#]*)?'
  return operator === '' ? '[^/?#]+' : '[^?#]*'
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
