import { type Document, LineCounter, parseAllDocuments } from 'yaml'
import { attempt } from '#base/attempt'
import { isTable, type Table } from '#base/table'
import { FileRefused } from './read-text.ts'
import { stripBom } from './splice.ts'

/**
 * Parses a YAML file of one document. Keys at the top without a value are left out.
 *
 * @throws {FileRefused}
 */
export function readYaml(text: string): { document: Document | undefined; data: Table } {
  const { body } = stripBom(text)
  const lineCounter = new LineCounter()
  const documents = parseAllDocuments(body, { lineCounter, logLevel: 'silent' })
  const [document, second] = 'empty' in documents ? [] : documents
  if (second !== undefined) throw new FileRefused('it has several documents')
  const [error] = document?.errors ?? []
  if (error !== undefined)
    throw new FileRefused(
      `it is not valid YAML: see line ${lineCounter.linePos(error.pos[0]).line}`,
    )
  if (document === undefined || document.contents === null) return { document, data: {} }
  // Aliases that multiply are an error of the parser.
  const data: unknown = attempt(() => document.toJS(), undefined)
  if (!isTable(data)) throw new FileRefused('it is not a YAML map')
  const members = Object.entries(data).filter(([, value]) => value !== null)
  return { document, data: Object.fromEntries(members) }
}
