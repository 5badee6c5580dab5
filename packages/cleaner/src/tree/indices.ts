import type { Element, Root } from 'hast'
import { textNode } from './element.ts'
import { textOf } from './text-of.ts'

/** A sum, a product or the like, which is one exponent or index. */
export const isTerm: RegExp =
  /^(?=.{2,40}$)[\p{L}\p{N}([|−-][\p{L}\p{N}\s+−\-–*/·×,.()[\]=<>≤≥≠′'|!∞_^{}]*$/u

/** The symbol of a chemical element, or what is in brackets: its number may follow it. */
const element =
  /(?:^|[^\p{Ll}])(?:A[cglmrstu]|B[aehikr]?|C[adeflmnorsu]?|D[bsy]|E[rsu]|F[elmr]?|G[ade]|H[efgos]?|I[nr]?|Kr?|L[airuv]|M[cdgnot]|N[abdeiop]?|O[gs]?|P[abdmortu]?|R[abefghnu]|S[bcegimnr]?|T[abcehilm]|U|V|W|Xe|Yb?|Z[nr]|\))$/u

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
  if (!isIndex || (/^\d{1,3}$/.test(text) && element.test(before))) return
  const isOne = !isFollowed && /^(?:\p{L}+|\d+)$/u.test(text)
  index.children.unshift(textNode(isOne ? '_' : '_{'))
  if (!isOne) index.children.push(textNode('}'))
}
