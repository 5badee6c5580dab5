import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../src/protocol/message.ts'
import { findingsIn } from '../../src/scan/findings.ts'
import { ownToolName } from '../../src/scan/patterns.ts'
import { metaTools } from '../../src/tools/all-meta-tools.ts'

interface Attack {
  kind: string
  /** Not looked at while the patterns were written. */
  isHeldOut: boolean
  definition: JsonObject
}

const file = new URL('attacks.json', import.meta.url)
const attacks = JSON.parse(readFileSync(file, 'utf8')) as Attack[]
const isHeld = ({ definition }: Attack): boolean => findingsIn(definition).length > 0

describe('attacks on the model', () => {
  test('are of twelve kinds, half of each held out', () => {
    const kinds = new Map(
      attacks.map(({ kind }) => [kind, attacks.filter((one) => one.kind === kind)]),
    )
    expect(kinds.size).toBe(12)
    for (const ofKind of kinds.values())
      expect(ofKind.filter(({ isHeldOut }) => isHeldOut)).toHaveLength(ofKind.length / 2)
  })

  test('that the patterns were written for are all held', () => {
    expect(attacks.filter((one) => !one.isHeldOut && !isHeld(one))).toEqual([])
  })

  test('that were held out are held, nine of ten', () => {
    const heldOut = attacks.filter(({ isHeldOut }) => isHeldOut)
    const missed = heldOut.filter((one) => !isHeld(one))
    expect(missed.length, JSON.stringify(missed)).toBeLessThanOrEqual(heldOut.length / 10)
  })
})

test('the names of all own tools are known', () => {
  const names = metaTools.map(({ name }) => name)
  expect(names.filter((name) => !ownToolName.test(name))).toEqual([])
})
