import { z } from 'zod'
import { runImport } from '../../import/run-import.ts'
import { surroundingsHere } from '../../import/surroundings-here.ts'
import { type Operation, operation } from '../operation/operation.ts'
import { onlyFile } from './servers.ts'

const importOptions = z
  .object({
    clients: z.array(z.string()).max(20).optional().describe('Only these; all if absent.'),
    copy: z.boolean().default(false).describe('Into our file only; clients are left alone.'),
  })
  .meta({ id: 'ImportOptions' })

const importReport = z
  .object({
    isDone: z.boolean().describe('All of it; else the text says what is not.'),
    text: z.string().describe('What aggregator-mcp import prints.'),
  })
  .meta({ id: 'ImportReport' })

const tag = 'imports'

export const importOperations: readonly Operation[] = [
  operation({
    method: 'post',
    path: '/imports/preview',
    tag,
    summary: 'What would be taken over from clients on the machine of the aggregator.',
    body: importOptions,
    answer: importReport,
    run: ({ body }, { settings }) => report(wordsFor(body, onlyFile(settings))),
  }),
  operation({
    method: 'post',
    path: '/imports',
    tag,
    summary: 'Take it over; every file is kept as it was.',
    body: importOptions,
    answer: importReport,
    run: ({ body }, { settings }) => report([...wordsFor(body, onlyFile(settings)), '--write']),
  }),
  operation({
    method: 'post',
    path: '/imports/undo',
    tag,
    summary: 'Put every file back as it was before the last import.',
    answer: importReport,
    run: () => report(['--undo']),
  }),
]

const wordsFor = (
  { clients = [], copy }: z.output<typeof importOptions>,
  file: string,
): string[] => [
  ...clients.flatMap((name) => ['--client', name]),
  ...(copy ? ['--copy'] : []),
  '--config',
  file,
]

async function report(words: readonly string[]): Promise<z.input<typeof importReport>> {
  let text = ''
  const add = (part: string): void => {
    text += part
  }
  const code = await runImport(words, surroundingsHere(), { print: add, complain: add })
  return { isDone: code === 0, text }
}
