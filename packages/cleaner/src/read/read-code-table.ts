import type { Element } from 'hast'
import { findWithin, hasBelow } from '../tree/below.ts'
import { element } from '../tree/element.ts'
import { stringProperty } from '../tree/properties.ts'
import { isTag } from '../tree/tags.ts'
import { textOf } from '../tree/text-of.ts'
import { areConsecutive, isGutter } from './line-numbers.ts'
import { isCodeBox } from './read-code.ts'
import type { Cell } from './read-table.ts'

/**
 * The code of a table that has a line, or all lines, in each row, after columns of numbers; undefined
 * for any other table. `isInCode`: an element around the table is a box of code.
 */
export function codeOfTable(
  table: Element,
  rows: readonly Cell[][],
  isInCode: boolean,
): Element | undefined {
  const filled = rows.filter((row) => row.length > 0)
  const codes = filled.map((row) => (row.at(-1) as Cell).element)
  const isBox = (isInCode || isCodeBox(table)) && !codes.some((cell) => hasBelow(cell, isText))
  if (filled.flat().some(({ header }) => header) || !(isBox || codes.some(isCodeCell)))
    return undefined
  const isSingle = filled.every((row) => row.length === 1)
  const areLines = isSingle ? codes.length > 1 && codes.every(isCodeCell) : areNumbered(filled)
  if (!areLines) return undefined
  const lines = codes.map(({ children }) => element('div', children))
  return element('pre', lines, table.properties)
}

const isText = isTag('ol p ul')

/** Cells may be blank, as pages draw numbers by style, or have all numbers of a code. */
function areNumbered(rows: readonly Cell[][]): boolean {
  const [first = []] = rows
  if (rows.some((row) => row.length !== first.length)) return false
  return first.slice(0, -1).every((_cell, column) => {
    const cells = rows.map((row) => (row[column] as Cell).element)
    const numbers = cells.flatMap((cell) => textOf(cell).trim().split(/\s+/)).filter(Boolean)
    if (numbers.length === 0) return cells.some(isGutter)
    return numbers.every((text) => /^\d{1,6}$/.test(text)) && areConsecutive(numbers.map(Number))
  })
}

/** By a `pre`, a style or a class; `code` may be the value of a table of data. */
function isCodeCell(cell: Element): boolean {
  const box = findWithin(cell, isVerbatim)
  return box !== undefined && textOf(box).trim() === textOf(cell).trim()
}

const isVerbatim = (box: Element): boolean =>
  box.tagName === 'pre' ||
  isCodeBox(box) ||
  /white-space:\s*pre/i.test(stringProperty(box, 'style') ?? '')
