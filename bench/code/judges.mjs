// Whether a place in a file is between statements, and how many blocks are open there, as others
// than our tables say. `createJudge(file, text)` gives (offsets, start) → { isBetween, open } for
// each of some ascending begins of lines behind `start`, the begin of the function.
import ts from 'typescript'
import { cTokens } from './c-tokens.mjs'
import { pythonFacts, typescriptTree } from './references.mjs'

export function createJudge(file, text) {
  if (file.endsWith('.py')) return judgePython(file, text)
  return file.endsWith('.js') ? judgeJavascript(file, text) : judgeC(text)
}

const torn = { isBetween: false, open: 0 }

/** By its compiler: at the begin of a statement, member or clause of a list, or behind its last one. */
function judgeJavascript(file, text) {
  const source = typescriptTree(file)
  const isList = (node) =>
    ts.isSourceFile(node) ||
    ts.isBlock(node) ||
    ts.isModuleBlock(node) ||
    ts.isCaseBlock(node) ||
    ts.isCaseOrDefaultClause(node) ||
    ts.isClassLike(node)
  const isUnit = (node) =>
    ts.isStatement(node) || ts.isClassElement(node) || ts.isCaseOrDefaultClause(node)
  const isBlock = (node) => ts.isBlock(node) || ts.isCaseBlock(node) || ts.isClassLike(node)
  const judge = (offset, start) => {
    let open = -1
    for (let node = source; ; ) {
      const child = ts.forEachChild(node, (one) =>
        one.pos < offset && offset < one.end ? one : undefined,
      )
      const begin = child?.getStart(source) ?? offset
      if (begin >= offset) {
        const trivia = ts.getLeadingCommentRanges(text, child?.pos ?? lastEnd(node)) ?? []
        const isInComment = trivia.some(({ pos, end }) => pos < offset && offset < end)
        const isHere = child ? isUnit(child) : offset >= lastEnd(node)
        return { isBetween: isList(node) && isHere && !isInComment, open }
      }
      if (isBlock(child) && child.pos > start) open++
      node = child
    }
  }
  return (offsets, start) => offsets.map((offset) => judge(offset, start))
}

function lastEnd(node) {
  let end = node.pos
  ts.forEachChild(node, (child) => {
    end = child.end
  })
  return end
}

/** By Python's ast and tokenize: the next line on which a token begins begins a statement. */
function judgePython(file, text) {
  const [[, { statements, begins, within }]] = pythonFacts([file], '--cuts')
  const firsts = new Set(statements.map(([first]) => first))
  const inside = new Set(within)
  const lineOf = (offset) => text.slice(0, offset).split('\n').length
  return (offsets, start) => {
    const first = lineOf(start)
    return offsets.map((offset) => {
      const line = lineOf(offset)
      if (inside.has(line)) return torn
      const next = begins.find((begin) => begin >= line)
      const around = statements.filter(
        ([begin, end]) => begin > first && begin < line && line <= end,
      )
      return { isBetween: firsts.has(next), open: around.length }
    })
  }
}

/** Those of ascending offsets that lie within a token: a comment, a directive of several lines. */
function tornBy(tokens, offsets) {
  const inside = new Set()
  let at = 0
  for (const { start, end } of tokens) {
    while (offsets[at] <= start) at++
    for (; offsets[at] < end; at++) inside.add(offsets[at])
  }
  return inside
}

const macro = /^[A-Z_][A-Z0-9_]*$/

/**
 * By a lexer: outside parentheses and initializers, behind `;`, a brace, a label, or a macro alone.
 * Of `#if` and `#else` each goes on from where the first began; other directives count for nothing.
 */
function judgeC(text) {
  const tokens = [...cTokens(text)]
  const frame = () => ({ parens: 0, isInitial: false, isDo: false })
  return (offsets, start) => {
    const answers = []
    const branches = []
    let frames = [frame()]
    let statement = []
    let ternaries = 0
    let depth
    let closed
    const isMacro = () =>
      statement.length > 0 &&
      macro.test(statement[0]) &&
      (statement.length === 1 || (statement[1] === '(' && statement.at(-1) === ')'))
    const answer = ({ text: next, kind }) => {
      const { parens, isInitial } = frames.at(-1)
      const isGoneOn =
        next === 'else' || (next === 'while' && closed?.isDo && statement.length === 0)
      const isEnded = statement.length === 0 || isMacro()
      return {
        isBetween: parens === 0 && !isInitial && isEnded && !(kind === 'word' && isGoneOn),
        open: frames.length - depth - 1,
      }
    }
    const isTorn = tornBy(tokens, offsets)
    for (const token of tokens) {
      if (answers.length === offsets.length) break
      if (token.kind === 'comment') continue
      if (depth === undefined && token.start >= start) depth = frames.length
      while (offsets[answers.length] < token.end)
        answers.push(isTorn.has(offsets[answers.length]) ? torn : answer(token))
      step(token)
    }
    return answers

    function step({ kind, text: sign }) {
      if (kind === 'directive') {
        const name = /^#\s*(\w*)/.exec(sign)?.[1]
        if (name?.startsWith('if')) branches.push(JSON.stringify({ frames, statement, ternaries }))
        else if (/^el/.test(name ?? '') && branches.length > 0)
          ({ frames, statement, ternaries } = JSON.parse(branches.at(-1)))
        else if (name === 'endif') branches.pop()
        return
      }
      const top = frames.at(-1)
      const previous = statement.at(-1)
      if (sign === '{') {
        const isInitial =
          /^(?:=|,|return)$/.test(previous ?? '') || (top.isInitial && previous === undefined)
        frames.push({ ...frame(), isInitial, isDo: previous === 'do', outer: statement })
        end()
      } else if (sign === '}') {
        closed = frames.length > 1 ? frames.pop() : undefined
        if (closed?.isInitial || frames.at(-1).parens > 0)
          statement = [...(closed?.outer ?? []), '}']
        else end()
      } else if ((sign === ';' && top.parens === 0) || (sign === ':' && isLabel(top))) end()
      else {
        if (sign === '(' || sign === '[') top.parens++
        if (sign === ')' || sign === ']') top.parens = Math.max(0, top.parens - 1)
        if (sign === '?') ternaries++
        if (sign === ':' && ternaries > 0) ternaries--
        statement.push(sign)
      }
    }

    function isLabel({ parens, isInitial }) {
      return parens === 0 && !isInitial && ternaries === 0
    }

    function end() {
      statement = []
      ternaries = 0
    }
  }
}
