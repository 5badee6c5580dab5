import { readFileSync, writeFileSync } from 'node:fs'
import { names } from './names.mjs'
import { survey } from './survey.mjs'

const path = 'scripts/house/limits.json'
const readLimits = () => JSON.parse(readFileSync(path, 'utf8'))

/** What scripts/house/limits.json limits, as it is. */
export function limitsOf(packages) {
  const branched = packages.flatMap((each) => each.branched)
  const { params, aliases } = names()
  return {
    statements: Object.fromEntries(packages.map(({ name, kinds }) => [name, kinds.statements])),
    // With the allowance, all packages together.
    source: { lines: packages.reduce((sum, { lines }) => sum + lines, 0) },
    files: packages.reduce((sum, { files }) => sum + files, 0),
    branched: {
      functions: branched.length,
      most: Math.max(0, ...branched.map(({ branches }) => branches)),
    },
    names: { params: params.length, aliases: aliases.length },
  }
}

/** Writes the limits that are higher than what is; the lines say which. Never raises one. */
export function lowerLimits() {
  const limits = readLimits()
  const lowered = []
  const lower = (of, now, prefix) => {
    for (const [key, value] of Object.entries(now))
      if (typeof value === 'object') lower(of[key], value, `${prefix}${key} `)
      else if (value < of[key]) {
        lowered.push(`${prefix}${key}: ${of[key]} → ${value}`)
        of[key] = value
      }
  }
  lower(limits, limitsOf(survey()), '')
  writeFileSync(path, `${JSON.stringify(limits, null, 2)}\n`)
  return lowered
}
