import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { DocsError, quoteValue } from '../docs-error.ts'

const { resolve } = createRequire(import.meta.url)

/** The folder of a package that may be installed next to this one. */
export const packageFolder = (name: string): string | undefined =>
  resolve
    .paths(name)
    ?.map((place) => join(place, name))
    .find(existsSync)

/** For a page whose format needs a package that is not installed. */
export const packageMissing = (url: string | undefined, format: string, name: string): DocsError =>
  new DocsError(
    'unsupported_type',
    `${quoteValue(url ?? 'The document')} is ${format}, and the optional package ${name} is not installed.`,
    `Install ${name} next to docs-mcp, or read another page.`,
  )
