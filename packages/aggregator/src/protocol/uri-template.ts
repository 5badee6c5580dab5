/** Expressions of RFC 6570, of which only the operator matters here. */
const expression = /\{([+#./;?&]?)[^{}]*\}/g

const longestUri = 8_192
const mostExpressions = 50

/** Signs that end what an expression without, or with, an operator stands for. */
const endings: Record<string, RegExp | undefined> = {
  '': /[/?#]/,
  '+': undefined,
  '#': undefined,
  '?': /#/,
  '&': /#/,
}

/** Whether a URI can have come of a template. Takes time in proportion to both lengths. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (uri.length > longestUri) return false
  // Where in the URI the template may have come to so far.
  let positions = new Set([0])
  let from = 0
  let count = 0
  for (const { 0: text, 1: operator = '', index } of template.matchAll(expression)) {
    if (++count > mostExpressions) return false
    positions = afterLiteral(template.slice(from, index), uri, positions)
    positions = afterExpression(operator, uri, positions)
    from = index + text.length
    if (positions.size === 0) return false
  }
  return afterLiteral(template.slice(from), uri, positions).has(uri.length)
}

function afterLiteral(literal: string, uri: string, positions: ReadonlySet<number>): Set<number> {
  if (literal === '') return new Set(positions)
  const after = new Set<number>()
  for (const position of positions)
    if (uri.startsWith(literal, position)) after.add(position + literal.length)
  return after
}

/** Queries may be absent; a name without an operator stands for one sign at least. */
function afterExpression(
  operator: string,
  uri: string,
  positions: ReadonlySet<number>,
): Set<number> {
  const ending = operator in endings ? endings[operator] : /[?#]/
  const isQuery = operator === '?' || operator === '&'
  const after = new Set<number>()
  for (const start of positions) {
    if (isQuery && uri[start] !== '?' && uri[start] !== '&') continue
    for (let end = start; end < uri.length && !ending?.test(uri[end] as string); end++) {
      // Whoever began before has been here already.
      if (after.has(end + 1)) break
      after.add(end + 1)
    }
  }
  // One with an operator may stand for nothing.
  if (operator !== '') for (const start of positions) after.add(start)
  return after
}
