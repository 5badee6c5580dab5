import { replaceEscaped } from './replace-escaped.ts'

/** Characters of Base64 before a line break: lines of words rarely end with as many. */
const minRun = 16
/** Of the shortest secrets; in four groups they have 19 characters, two samples among them. */
const minDigits = 16
const sampleEvery = 9

const codes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code))
const base64 = Uint8Array.from(codes, (sign) => Number(/[\w+/-]/.test(sign)))
/** 2: a hexadecimal digit, 1: what may divide them, 0: neither. */
const hex = Uint8Array.from(codes, (sign) =>
  /[\da-f]/i.test(sign) ? 2 : /[\s:,-]/.test(sign) ? 1 : 0,
)
const lineBreak = /[ \t]*\r?\n[ \t]*/y

/** Replaces matches in encoded text that is divided: Base64 into lines, hexadecimal digits anyhow. */
export function replaceDivided(text: string, pattern: RegExp, mark: string): string {
  const inBlocks = (from: string, blocks: Blocks, dividers: RegExp): string => {
    let replaced = ''
    let done = 0
    for (const [start, end] of blocks) {
      const block = from.slice(start, end)
      const changed = replaceEscaped(block, pattern, mark, dividers)
      if (changed === block) continue
      replaced += from.slice(done, start) + changed
      done = end
    }
    return replaced + from.slice(done)
  }
  const lines = inBlocks(text, linesOf(text), /\s+/g)
  return inBlocks(lines, digitsOf(lines), /[\s:,-]+/g)
}

type Blocks = readonly (readonly [start: number, end: number])[]

function linesOf(text: string): Blocks {
  const blocks: [number, number][] = []
  const isBase64 = (place: number): boolean => base64[text.charCodeAt(place)] === 1
  let done = 0
  // No sooner is a line break preceded by enough.
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + minRun + 1)) {
    const before = text.charCodeAt(end - 1) === 13 ? end - 1 : end
    if (!isBase64(before - 1) || !isBase64(before - 8) || !isBase64(before - minRun)) continue
    let start = before
    while (start > done && isBase64(start - 1)) start--
    if (before - start < minRun) continue
    let last = before
    for (let next = afterBreak(text, last); isBase64(next); next = afterBreak(text, last))
      for (last = next; isBase64(last) || text[last] === '='; ) last++
    if (last === before) continue
    blocks.push([start, last])
    done = last
    end = last - minRun
  }
  return blocks
}

/** The position after a line break, or the end of the text. */
function afterBreak(text: string, place: number): number {
  lineBreak.lastIndex = place
  return lineBreak.test(text) ? lineBreak.lastIndex : text.length
}

function digitsOf(text: string): Blocks {
  const blocks: [number, number][] = []
  // Reads of it are cheaper. What is above U+00FF counts as another character, and is compared later.
  const bytes = Buffer.from(text, 'latin1')
  let end = 0
  for (let at = sampleEvery; at < bytes.length; at += sampleEvery) {
    if (hex[bytes[at] ?? 0] === 0 || hex[bytes[at - sampleEvery] ?? 0] === 0) continue
    // Blanks alone, such as those of tables, are no digits.
    let sum = 0
    let start = at
    for (let kind = 1; kind !== 0 && start > at - sampleEvery; sum += kind) {
      kind = hex[bytes[start - 1] ?? 0] ?? 0
      if (kind !== 0) start--
    }
    if (at - start < sampleEvery || sum < sampleEvery + minDigits / 4) continue
    while (start > end && hex[bytes[start - 1] ?? 0] !== 0) start--
    let digits = 0
    for (end = start; end < bytes.length; end++) {
      const kind = hex[bytes[end] ?? 0]
      if (kind === 0) break
      if (kind === 2) digits++
    }
    // Digits without dividers are found as they are.
    if (digits >= minDigits && digits < end - start) blocks.push([start, end])
    at = end
  }
  return blocks
}
