import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { sourceFiles } from './read-package.mjs'

/** A declaration shorter than both is coincidence. */
const minLines = 4
const minTokens = 25
/** Twins agree in more than this share of their words. */
const minAgreement = 0.6

/**
 * Top-level functions, classes and types that occur in two packages: under one name with more than 60 %
 * of their words the same and in the same order, or under two names with the same tokens. Words are
 * names, keywords and literals: punctuation is common to all code.
 */
export function twins() {
  const all = ['packages', 'apps'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => declarationsOf(`${folder}/${name}`)),
  )
  const sameName = [...groupBy(all, ({ name }) => name)].flatMap(([name, group]) => {
    const pairs = pairsOf(group).filter(([one, other]) => agreement(one, other) > minAgreement)
    return pairs.length === 0 ? [] : [{ name, places: placesOf(pairs.flat()) }]
  })
  const sameTokens = [...groupBy(all, ({ tokens }) => tokens.join(' '))].flatMap(([, group]) => {
    const pairs = pairsOf(group).filter(([one, other]) => one.name !== other.name)
    const names = [...new Set(pairs.flat().map(({ name }) => name))]
    return pairs.length === 0 ? [] : [{ names, places: placesOf(pairs.flat()) }]
  })
  return { sameName, sameTokens }
}

const pairsOf = (group) =>
  group.flatMap((one, at) =>
    group
      .slice(at + 1)
      .filter((other) => other.path !== one.path)
      .map((other) => [one, other]),
  )

const placesOf = (found) => [...new Set(found.map(({ place }) => place))].sort()

function groupBy(list, keyOf) {
  const groups = new Map()
  for (const each of list) {
    const key = keyOf(each)
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return groups
}

/** The declarations of a package that are long enough. Their own name is no token of theirs. */
function declarationsOf(path) {
  return sourceFiles(path).flatMap((file) => {
    const written = readFileSync(join(path, file), 'utf8')
    const { program, comments } = parseSync(file, written)
    const text = blank(written, comments)
    return program.body.flatMap(declaredBy).flatMap(({ name, start, end }) => {
      const source = text.slice(start, end)
      const tokens = tokensOf(source).filter((token) => token !== name)
      const lines = source.split('\n').length
      if (lines < minLines && tokens.length < minTokens) return []
      const line = text.slice(0, start).split('\n').length
      return [{ path, name, tokens, place: `${join(path, file)}:${line}` }]
    })
  })
}

function declaredBy(statement) {
  const node = statement.declaration ?? statement
  if (node.type !== 'VariableDeclaration')
    return node.id?.name ? [{ name: node.id.name, start: node.start, end: node.end }] : []
  return node.declarations
    .filter(({ init }) => /^(Arrow)?FunctionExpression$/.test(init?.type ?? ''))
    .map(({ id, start, end }) => ({ name: id.name, start, end }))
}

/** The text with blanks in place of comments, so that offsets stay. */
const blank = (text, comments) =>
  comments.reduce(
    (rest, { start, end }) =>
      rest.slice(0, start) + rest.slice(start, end).replace(/[^\n]/g, ' ') + rest.slice(end),
    text,
  )

const tokensOf = (source) =>
  source.match(
    /[\p{L}\p{N}_$]+|'(?:[^'\\\n]|\\.)*'|=>|\?\?|\?\.|&&|\|\||[=!]==?|[^\s\p{L}\p{N}_$]/gu,
  ) ?? []

/** The share of the longest common sequence of words in the words of both. */
function agreement(...pair) {
  const [one, other] = pair.map(({ tokens }) =>
    tokens.filter((token) => /[\p{L}\p{N}]/u.test(token)),
  )
  let row = new Array(other.length + 1).fill(0)
  for (const token of one) {
    const next = [0]
    for (const [at, against] of other.entries())
      next.push(token === against ? row[at] + 1 : Math.max(row[at + 1], next[at]))
    row = next
  }
  return (2 * row[other.length]) / (one.length + other.length)
}
