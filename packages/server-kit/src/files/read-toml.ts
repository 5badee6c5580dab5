import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser'
import type { Table } from '#base/table'
import { FileRefused } from './read-text.ts'
import { stripBom } from './splice.ts'

/** Parses a TOML file. @throws {FileRefused} */
export function readToml(text: string): { program: AST.TOMLProgram; data: Table } {
  const { body } = stripBom(text)
  // The parser drops this key, so that no check would see it.
  if (body.includes('__proto__')) throw new FileRefused('it has a key __proto__')
  try {
    const program = parseTOML(body, { tomlVersion: '1.1' })
    return { program, data: getStaticTOMLValue(program) }
  } catch (error) {
    if (error instanceof ParseError)
      throw new FileRefused(`it is not valid TOML: see line ${error.lineNumber}`)
    throw error
  }
}

export const pathOf = ({ keys }: AST.TOMLKey): string[] =>
  keys.map((part) => (part.type === 'TOMLBare' ? part.name : part.value))

/** A value in one line. */
export function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{ ${Object.entries(value).map(tomlPair).join(', ')} }`
  return JSON.stringify(value)
}

export const tomlPair = ([key, value]: readonly [string, unknown]): string =>
  `${tomlKey(key)} = ${tomlOf(value)}`

export const tomlKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key))
