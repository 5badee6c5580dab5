// A lexer of C of the bench's own, so that ours is not judged by itself.
const pattern =
  /(?<blank>\s+)|(?<comment>\/\/(?:\\\r?\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)|(?<word>[A-Za-z_]\w*)|(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)|(?<sign>[\s\S])/y
const directive = /#(?:\\\r?\n|\/\*[\s\S]*?\*\/|[^\n\\]|\\(?!\r?\n))*/y

/** Tokens of a part of a text of C that begins on a line; offsets are of the text. */
export function* cTokens(text, start = 0, end = text.length) {
  let isLineStart = true
  for (let at = start; at < end; ) {
    if (isLineStart && text[at] === '#') {
      directive.lastIndex = at
      const [found] = directive.exec(text)
      yield { kind: 'directive', text: found, start: at, end: at + found.length }
      at += found.length
      continue
    }
    pattern.lastIndex = at
    const { 0: found, groups } = pattern.exec(text)
    const behind = at + found.length
    if (groups.blank !== undefined) {
      if (found.includes('\n')) isLineStart = true
    } else {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
      if (kind !== 'comment') isLineStart = false
      yield { kind, text: found, start: at, end: behind }
    }
    at = behind
  }
}

/** Whether a part of a text holds no end of a statement or block, nor the begin of one. */
export function isOneHeader(text, start, end) {
  for (const { kind, text: sign } of cTokens(text, start, end))
    if (kind === 'sign' && /[{};]/.test(sign)) return false
  return true
}
