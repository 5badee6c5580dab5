// The tool results of the public run of LiveMCPBench: 95 tasks of one model, as its harness wrote them.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const file = 'baseline/output/claude-sonnet-4-20250514_Qwen3-Embedding-0.6B.json'
const escapes = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }
const digits = { x: 2, u: 4, U: 8 }

/** A literal of Python that begins at `start`; cut off, it ends with the text. */
function pythonText(text, start) {
  const quote = text[start]
  let value = ''
  for (let at = start + 1; at < text.length && text[at] !== quote; at++) {
    if (text[at] !== '\\') value += text[at]
    else {
      const sign = text[++at] ?? ''
      const count = digits[sign]
      if (count === undefined) value += escapes[sign] ?? sign
      else
        value += String.fromCodePoint(Number.parseInt(text.slice(at + 1, at + 1 + count), 16) || 0)
      at += count ?? 0
    }
  }
  return value
}

/** JSON that was cut off, without its last member, and closed. */
function closed(text) {
  const open = []
  let last = { at: 0, open: [] }
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isText && sign === '\\') at++
    else if (sign === '"') isText = !isText
    else if (!isText && (sign === '{' || sign === '[')) open.push(sign === '{' ? '}' : ']')
    else if (!isText && (sign === '}' || sign === ']')) open.pop()
    if (!isText && ',}]'.includes(sign))
      last = { at: sign === ',' ? at : at + 1, open: [...open].reverse() }
  }
  return text.slice(0, last.at) + last.open.join('')
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the server returned, from what the harness printed of it. */
function resultOf(printed) {
  const opening = "meta=None content=[TextContent(type='text', text="
  if (!printed.startsWith(opening)) return { text: printed, isCut: false }
  const outer = pythonText(printed, opening.length)
  const whole = parsed(outer)
  const result = whole ?? parsed(closed(outer))
  if (!Array.isArray(result?.content)) {
    // Cut within its only text.
    const [, start] =
      /^\s*\{\s*"_meta": null,\s*"content": \[\s*\{\s*"type": "text",\s*"text": ("[\s\S]*)$/.exec(
        outer,
      ) ?? []
    if (start === undefined) return { text: outer, isCut: false }
    let body = start.replace(/\\(?:u[0-9a-f]{0,3})?$/, '')
    if (/(?<!\\)(?:\\\\)*\\$/.test(body)) body = body.slice(0, -1)
    const text = parsed(`${body}"`) ?? ''
    const isJson = /^\s*[[{]/.test(text)
    return { text: isJson ? closed(text) : text, isCut: true }
  }
  return {
    text: result.content.map(({ text = '' }) => text).join('\n\n'),
    isCut: whole === undefined,
  }
}

/** Words of six letters or more, and numbers: what may be used later. */
export const piecesOf = (text) =>
  new Set(
    (text.match(/[\p{L}][\p{L}\p{N}_-]{5,}|\d[\d.,:/-]{3,}/gu) ?? []).map((word) =>
      word.toLowerCase(),
    ),
  )

/** The paths of a JSON value whose texts have one of the pieces. */
function fieldsWith(value, pieces, path = '', found = new Set()) {
  if (typeof value === 'object' && value !== null)
    for (const [key, member] of Object.entries(value))
      fieldsWith(
        member,
        pieces,
        Array.isArray(value) ? `${path}[]` : path === '' ? key : `${path}.${key}`,
        found,
      )
  else if ([...piecesOf(String(value))].some((piece) => pieces.has(piece))) found.add(path)
  return found
}

/** What someone who knows the pieces would select. */
export function fieldsOf({ text, used }) {
  try {
    const value = JSON.parse(text)
    const fields = [...fieldsWith(value, new Set(used))].filter((path) => !/["'\s]/.test(path))
    return typeof value === 'object' && fields.length > 0 && fields.length <= 20
      ? fields
      : undefined
  } catch {
    return undefined
  }
}

const writtenIn = ({ content, tool_calls: calls = [] }) =>
  [
    typeof content === 'string' ? content : '',
    ...(calls ?? []).map((call) => call.function.arguments),
  ].join(' ')

/**
 * The tasks, each with its results: text, turns of the model that follow, and the pieces that the model
 * writes later and that nothing before the result has. Undefined without the data.
 */
export function readRuns(folder) {
  const path = join(folder, file)
  const text = existsSync(path)
    ? readFileSync(path, 'utf8')
    : existsSync(folder)
      ? execFileSync('git', ['-C', folder, 'show', `HEAD:${file}`], {
          encoding: 'utf8',
          maxBuffer: 2 ** 28,
          stdio: ['ignore', 'pipe', 'ignore'],
        })
      : undefined
  return text && JSON.parse(text).map(readTask)
}

/** A task by its messages, as the Chat Completions API has them. */
export function readTask({ task_id: id, messages = [] }) {
  const calls = new Map()
  const results = []
  const replies = []
  const texts = messages.map((message, at) => {
    for (const call of message.tool_calls ?? []) calls.set(call.id, call.function)
    if (message.role !== 'tool') return writtenIn(message)
    const call = calls.get(message.tool_call_id)
    const { text, isCut } = resultOf(message.content)
    const args = parsed(call?.arguments ?? '') ?? {}
    const reply = { at, text, isCut, params: args.params ?? {}, args, name: call?.name }
    replies.push(reply)
    if (call?.name !== 'route') results.push(reply)
    return text
  })
  for (const result of results) {
    const later = messages
      .map((message, at) =>
        at > result.at && message.role === 'assistant' ? texts[at] : undefined,
      )
      .filter((text) => text !== undefined)
    const before = piecesOf(texts.slice(0, result.at).join(' '))
    const written = piecesOf(later.join(' '))
    result.turns = later.length
    result.used = [...piecesOf(result.text)].filter(
      (piece) => written.has(piece) && !before.has(piece),
    )
  }
  const half = createHash('sha256').update(id).digest()[0] % 2
  return { half, results, steps: stepsOf(messages, texts, replies) }
}

/** What the model wrote at each turn, and the replies that it got, those of searches included. */
function stepsOf(messages, texts, replies) {
  const turns = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  const asked = messages.flatMap(({ role }, at) => (role === 'user' ? [texts[at]] : []))
  return turns.map((at, step) => ({
    asked: step === 0 ? asked.join(' ') : '',
    written: texts[at],
    replies: replies.filter((reply) => reply.at > at && reply.at < (turns[step + 1] ?? Infinity)),
  }))
}
