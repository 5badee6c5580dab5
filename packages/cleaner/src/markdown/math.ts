import type { Element } from 'hast'
import { texOf } from '../read/read-math.ts'
import type { State } from './state.ts'

export function writeDisplayMath(element: Element, state: State): void {
  state.flush()
  const tex = texOf(element)?.trim()
  if (tex) state.text('text', `$$\n${tex.replace(/\n\s*\n/g, '\n')}\n$$`)
}

export function inlineTex(element: Element): string | undefined {
  const tex = texOf(element)?.replace(/\s+/g, ' ').trim()
  return tex && `$${tex}$`
}
