import type { Element, Root } from 'hast'
import { textNode } from './element.ts'
import { textOf } from './text-of.ts'
import { wordsOf } from './word-lists.ts'

/** A sum, a product or the like, which is one exponent or index. */
export const isTerm: RegExp =
  /^(?=.{2,40}$)[\p{L}\p{N}([|−-][\p{L}\p{N}\s+−\-–*/·×,.()[\]=<>≤≥≠′'|!∞_^{}]*$/u

/** Symbols of chemical elements, and the end of brackets: a number may follow them. */
const symbols = wordsOf(
  'H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Nd Sm Eu Gd W Os Ir Pt Au Hg Tl Pb Bi Po At Rn Ra Th U Pu )',
)

/** Text before and after what an index or an exponent is. */
export function enclose(
  script: Element,
  [start, end]: readonly [start: string, end: string],
): void {
  if (start) script.children.unshift(textNode(start))
  if (end) script.children.push(textNode(end))
}

/** Marks indices as `x_1` and `a_{n+1}`: without marks they are parts of the word before them. */
export function markIndices({ children }: Root | Element): void {
  if (!children.some((child) => child.type === 'element' && child.tagName === 'sub')) return
  let before = ''
  for (const [at, child] of children.entries()) {
    const next = children[at + 1]
    const isFollowed = next?.type === 'text' && /^[\p{L}\p{N}]/u.test(next.value)
    if (child.type === 'element' && child.tagName === 'sub') mark(child, before, isFollowed)
    if (child.type === 'text' || child.type === 'element') before = textOf(child)
  }
}

function mark(index: Element, before: string, isFollowed: boolean): void {
  const text = textOf(index)
  const isIndex =
    /[\p{L}\p{N})\]'′]$/u.test(before) && /^\S+(?: ?\S+)*$/u.test(text) && isTerm.test(`${text} `)
  if (
    !isIndex ||
    (/^\d{1,3}$/.test(text) && symbols.has(/(?:[A-Z][a-z]?|\))$/.exec(before)?.[0] ?? ''))
  )
    return
  const isOne = !isFollowed && /^(?:\p{L}+|\d+)$/u.test(text)
  enclose(index, isOne ? ['_', ''] : ['_{', '}'])
}
