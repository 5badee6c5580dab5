/** Expressions of RFC 6570; only their operator matters here. */
const expression = /\{([+#./;?&]?)[^{}]*\}/g

const maxUriLength = 8_192
const maxExpressions = 50

/** Characters that end the value of an expression, by its operator. */
const endings: Record<string, RegExp | undefined> = {
  '': /[/?#]/,
  '+': undefined,
  '#': undefined,
  '?': /#/,
  '&': /#/,
}

/** True if a URI can be an expansion of the template. Linear in both lengths. */
export function matchesTemplate(template: string, uri: string): boolean {
  if (uri.length > maxUriLength) return false
  // Offsets in the URI that the template can have reached.
  let positions = new Set([0])
  let from = 0
  let count = 0
  for (const { 0: text, 1: operator = '', index } of template.matchAll(expression)) {
    if (++count > maxExpressions) return false
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

/**
 * Query expressions may be absent; an expression without an operator matches at least one
 * character.
 */
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
      // An earlier start has covered the rest.
      if (after.has(end + 1)) break
      after.add(end + 1)
    }
  }
  // An expression with an operator can be empty.
  if (operator !== '') for (const start of positions) after.add(start)
  return after
}
